import { byteaArray, plainArray, type Tx } from '@pulsewire/database';
import { packKeys } from '../model/receipt-keys.ts';
import type { IdentifiedBatch } from './identify.ts';
import type { StoredForm } from './stored-rows.ts';

/**
 * Records that the keys of these batches were received at this version, in one small row per batch. A written row contains its version
 * itself; this is for rows that were equal and not written. A batch that covers all rows of its range, as most responses do, needs no list
 * of keys. A `withheld` batch, which has rows that do not exist, always stores the list, because its number of rows proves nothing.
 */
export async function writeReceipts(
  tx: Tx,
  batches: readonly IdentifiedBatch[],
  version: bigint,
  { withheld, form }: { readonly withheld: ReadonlySet<IdentifiedBatch>; readonly form: StoredForm },
): Promise<void> {
  if (batches.length === 0) return;
  const { sql } = tx;
  const rows = await countRows(tx, batches, form);
  const times = batches.map((batch) => batch.entries.map((entry) => entry.sample.ts));
  const isWhole = (batch: IdentifiedBatch, index: number) => !withheld.has(batch) && rows[index] === batch.entries.length;
  await sql`
    INSERT INTO sample_receipts (user_source_id, series, version, day, from_ts, to_ts, keys)
    SELECT r.id, r.series, ${version.toString()}::bigint, (now() AT TIME ZONE 'UTC')::date, to_timestamp(r.from_ms / 1000), to_timestamp(r.to_ms / 1000), r.keys
    FROM unnest(
      ${plainArray(batches.map((batch) => batch.userSourceId))}::int[], ${plainArray(batches.map((batch) => batch.series))}::smallint[],
      ${plainArray(times.map((all) => all[0] ?? 0))}::float8[], ${plainArray(times.map((all) => all.at(-1) ?? 0))}::float8[],
      ${byteaArray(batches.map((batch, index) => (isWhole(batch, index) ? null : packKeys(times[index] ?? []))))}::bytea[]
    ) AS r(id, series, from_ms, to_ms, keys)`;
}

/** Rows between the first and the last key of each batch, all of whose keys exist by now. */
async function countRows({ sql }: Tx, batches: readonly IdentifiedBatch[], form: StoredForm): Promise<readonly number[]> {
  const [from, to] = [sql`to_timestamp(b.from_ms / 1000)`, sql`to_timestamp(b.to_ms / 1000)`];
  // Only the pieces at both ends are decoded.
  const packed = sql`
    SELECT coalesce(sum(CASE WHEN p.from_ts >= ${from} AND p.to_ts <= ${to} THEN p.count
      ELSE (SELECT count(*) FROM samples_of_piece(p) s WHERE s.ts >= ${from} AND s.ts <= ${to}) END), 0)::int
    FROM pieces_between(b.id, b.series, ${from}, ${to}) p`;
  const counts = await sql<{ rows: number }[]>`
    SELECT (
      SELECT count(*)::int FROM samples s WHERE s.user_source_id = b.id AND s.series = b.series AND s.ts >= ${from} AND s.ts <= ${to}
    ) + ${form === 'rows' ? sql`0` : sql`(${packed})`} AS rows
    FROM unnest(
      ${plainArray(batches.map((batch) => batch.userSourceId))}::int[], ${plainArray(batches.map((batch) => batch.series))}::smallint[],
      ${plainArray(batches.map((batch) => batch.entries[0]?.sample.ts ?? 0))}::float8[],
      ${plainArray(batches.map((batch) => batch.entries.at(-1)?.sample.ts ?? 0))}::float8[]
    ) WITH ORDINALITY AS b(id, series, from_ms, to_ms, ord)
    ORDER BY b.ord`;
  return counts.map((count) => count.rows);
}
