import { plainArray, type Tx } from '@pulsewire/database';
import { unpackKeys } from '../receipt-keys.ts';
import type { IdentifiedBatch } from './identify.ts';
import { rowsAsTable, type Row } from './columns.ts';

export interface Merged {
  readonly created: readonly Row[];
  readonly updated: readonly Row[];
}

/**
 * Writes rows into ranges that hold some already. First asks which rows are new or would replace an older value, and writes
 * only those: an equal row is not touched, not even locked. The caller holds the series' locks, so the answer stays true.
 */
export async function mergeRows(
  tx: Tx,
  rows: readonly Row[],
  version: bigint,
  { isRepeat }: { readonly isRepeat: boolean },
): Promise<Merged> {
  const { sql } = tx;
  const differing = await sql<{ ord: string; is_new: boolean }[]>`
    SELECT i.ord, s.ts IS NULL AS is_new
    FROM ${rowsAsTable(sql, rows)}
    LEFT JOIN samples s ON s.user_source_id = i.user_source_id AND s.series = i.series AND s.ts = i.ts
    WHERE s.ts IS NULL OR (s.version <= ${version.toString()}::bigint
      AND (s.value, s.value2, s.end_ts, s.tz_offset, s.context_id, s.extra) IS DISTINCT FROM (i.value, i.value2, i.end_ts, i.tz_offset, i.context_id, i.extra))
    ORDER BY i.ord`;
  const missing: Row[] = [];
  const replacing: Row[] = [];
  for (const { ord, is_new } of differing) (is_new ? missing : replacing).push(rows[Number(ord) - 1] as Row);
  const updated = replacing.length === 0 ? [] : await withoutOutdated(tx, replacing, version);
  // A row that is not there although a later receipt names it was taken back since.
  const created = isRepeat && missing.length > 0 ? await withoutOutdated(tx, missing, version, { namedOnly: true }) : missing;
  if (created.length > 0) {
    await sql`
      INSERT INTO samples (user_source_id, series, ts, version, value, value2, end_ts, tz_offset, context_id, extra)
      SELECT i.user_source_id, i.series, i.ts, ${version.toString()}::bigint, i.value, i.value2, i.end_ts, i.tz_offset, i.context_id, i.extra
      FROM ${rowsAsTable(sql, created)} ORDER BY i.ord`;
  }
  if (updated.length > 0) {
    await sql`
      UPDATE samples s SET version = ${version.toString()}::bigint, value = i.value, value2 = i.value2, end_ts = i.end_ts,
        tz_offset = i.tz_offset, context_id = i.context_id, extra = i.extra
      FROM ${rowsAsTable(sql, updated)}
      WHERE s.user_source_id = i.user_source_id AND s.series = i.series AND s.ts = i.ts`;
  }
  return { created, updated };
}

/**
 * Leaves out rows that were received again, unchanged, or taken back after this version: a stored row does not show that, its
 * receipts do. With `namedOnly` receipts of whole ranges, which speak of the rows that are there, are not asked.
 */
async function withoutOutdated(
  { sql }: Tx,
  rows: readonly Row[],
  version: bigint,
  { namedOnly = false }: { readonly namedOnly?: boolean } = {},
): Promise<readonly Row[]> {
  const batches = [...new Set(rows.map((row) => row.batch))];
  const receipts = await sql<{ ord: string; keys: Buffer | null; from_ms: number; to_ms: number }[]>`
    SELECT b.ord, r.keys, date_part('epoch', r.from_ts) * 1000 AS from_ms, date_part('epoch', r.to_ts) * 1000 AS to_ms
    FROM unnest(
      ${plainArray(batches.map((batch) => batch.userSourceId))}::int[], ${plainArray(batches.map((batch) => batch.series))}::smallint[],
      ${plainArray(batches.map((batch) => batch.entries[0]?.sample.ts ?? 0))}::float8[],
      ${plainArray(batches.map((batch) => batch.entries.at(-1)?.sample.ts ?? 0))}::float8[]
    ) WITH ORDINALITY AS b(id, series, from_ms, to_ms, ord)
    CROSS JOIN LATERAL (
      SELECT * FROM sample_receipts r
      WHERE r.user_source_id = b.id AND r.series = b.series AND r.version > ${version.toString()}::bigint
        AND r.to_ts >= to_timestamp(b.from_ms / 1000) AND r.from_ts <= to_timestamp(b.to_ms / 1000)
        AND (r.keys IS NOT NULL OR NOT ${namedOnly})
      OFFSET 0
    ) r`;
  if (receipts.length === 0) return rows;
  const later = new Map<IdentifiedBatch, ((ts: number) => boolean)[]>();
  for (const { ord, keys, from_ms, to_ms } of receipts) {
    const batch = batches[Number(ord) - 1] as IdentifiedBatch;
    const times = keys && new Set(unpackKeys(keys));
    const covers = (ts: number) => (times ? times.has(ts) : ts >= Math.round(from_ms) && ts <= Math.round(to_ms));
    later.set(batch, [...(later.get(batch) ?? []), covers]);
  }
  return rows.filter((row) => !later.get(row.batch)?.some((covers) => covers(row.entry.sample.ts)));
}
