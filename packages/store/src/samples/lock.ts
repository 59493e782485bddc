import { plainArray, type Tx } from '@pulsewire/database';
import type { IdentifiedBatch } from './identify.ts';

/** What there is already where a batch goes. */
export interface Probe {
  /** No row in its range. */
  readonly is_empty: boolean;
  /** A later answer has vouched for every row in a range that this one touches. */
  readonly is_late: boolean;
}

/**
 * Makes the writers of a series take turns until their transactions end, and tells what is there.
 * Batches come in key order, so two writers can never wait for each other.
 */
export async function lockAndProbe({ sql }: Tx, batches: readonly IdentifiedBatch[], version: bigint): Promise<readonly Probe[]> {
  const ids = plainArray(batches.map((batch) => batch.userSourceId));
  const series = plainArray(batches.map((batch) => batch.series));
  const from = plainArray(batches.map((batch) => batch.entries[0]?.sample.ts ?? 0));
  const to = plainArray(batches.map((batch) => batch.entries.at(-1)?.sample.ts ?? 0));
  // Two statements, sent together: the second one's snapshot must be taken when the locks are held.
  const [, probes] = await Promise.all([
    sql`SELECT pg_advisory_xact_lock(k.id, k.series) FROM unnest(${ids}::int[], ${series}::int[]) AS k(id, series)`,
    sql<Probe[]>`
      SELECT NOT EXISTS (
        SELECT 1 FROM samples s
        WHERE s.user_source_id = r.id AND s.series = r.series AND s.ts >= to_timestamp(r.from_ms / 1000) AND s.ts <= to_timestamp(r.to_ms / 1000)
      ) AS is_empty, EXISTS (
        SELECT 1 FROM sample_receipts c
        WHERE c.user_source_id = r.id AND c.series = r.series AND c.version > ${version.toString()}::bigint AND c.keys IS NULL
          AND c.to_ts >= to_timestamp(r.from_ms / 1000) AND c.from_ts <= to_timestamp(r.to_ms / 1000)
      ) AS is_late
      FROM unnest(${ids}::int[], ${series}::smallint[], ${from}::float8[], ${to}::float8[]) WITH ORDINALITY AS r(id, series, from_ms, to_ms, ord)
      ORDER BY r.ord`,
  ]);
  return probes;
}
