import { plainArray, type Tx } from '@pulsewire/database';
import type { IdentifiedBatch } from './identify.ts';

/** The stored state of the range of a batch. */
export interface Probe {
  /** No sample in its range, and no piece that owns a part of it. */
  readonly is_empty: boolean;
  /** Pieces own a part of its range. */
  readonly has_pieces: boolean;
  /** A later response has confirmed every row in a range that overlaps this one. */
  readonly is_late: boolean;
  /** Something in its range was removed later. */
  readonly has_removals: boolean;
}

/** Checks what is stored. The caller holds the user's lock, so the result stays valid. */
export async function probe({ sql }: Tx, batches: readonly IdentifiedBatch[], version: bigint): Promise<readonly Probe[]> {
  return sql<Probe[]>`
    SELECT NOT packed.has_pieces AND NOT EXISTS (
      SELECT 1 FROM samples s
      WHERE s.user_source_id = r.id AND s.series = r.series AND s.ts >= to_timestamp(r.from_ms / 1000) AND s.ts <= to_timestamp(r.to_ms / 1000)
    ) AS is_empty, packed.has_pieces, coalesce(later.is_late, false) AS is_late, coalesce(later.has_removals, false) AS has_removals
    FROM unnest(
      ${plainArray(batches.map((batch) => batch.userSourceId))}::int[], ${plainArray(batches.map((batch) => batch.series))}::smallint[],
      ${plainArray(batches.map((batch) => batch.entries[0]?.sample.ts ?? 0))}::float8[],
      ${plainArray(batches.map((batch) => batch.entries.at(-1)?.sample.ts ?? 0))}::float8[]
    ) WITH ORDINALITY AS r(id, series, from_ms, to_ms, ord)
    CROSS JOIN LATERAL (
      SELECT EXISTS (
        SELECT 1 FROM sample_pieces p
        WHERE p.user_source_id = r.id AND p.series = r.series AND p.from_ts > to_timestamp(r.from_ms / 1000) - interval '1 day'
          AND p.from_ts <= to_timestamp(r.to_ms / 1000) AND p.to_ts >= to_timestamp(r.from_ms / 1000)
      ) AS has_pieces OFFSET 0
    ) packed
    CROSS JOIN LATERAL (
      SELECT bool_or(NOT c.is_removal AND c.keys IS NULL) AS is_late, bool_or(c.is_removal) AS has_removals
      FROM sample_receipts c
      WHERE c.user_source_id = r.id AND c.series = r.series AND c.version > ${version.toString()}::bigint
        AND c.to_ts >= to_timestamp(r.from_ms / 1000) AND c.from_ts <= to_timestamp(r.to_ms / 1000)
    ) later
    ORDER BY r.ord`;
}
