import type { Tx } from '@pulsewire/database';
import { rowsAsTable, type Row } from './columns.ts';
import { findDiffering } from './find-differing.ts';
import type { IdentifiedBatch } from './identify.ts';
import { laterReceipts } from './later-receipts.ts';
import { writeIntoPieces } from './rewrite-pieces.ts';
import type { StoredForm } from './stored-rows.ts';

export interface Merged {
  readonly created: readonly Row[];
  readonly updated: readonly Row[];
  /** Batches with rows that do not exist because they were deleted later. */
  readonly withheld: ReadonlySet<IdentifiedBatch>;
  /** Rows that are not written because something newer is stored, or was removed. */
  readonly older: number;
}

/**
 * Writes rows into ranges that already contain rows, or that have later removals (`hasRemovals`). First queries which rows are new or would
 * replace an older value, and writes only those: an equal row is not touched, not even locked. The caller holds the user's lock, so the
 * query result stays valid.
 */
export async function mergeRows(
  tx: Tx,
  rows: readonly Row[],
  version: bigint,
  { hasRemovals, form }: { readonly hasRemovals: boolean; readonly form: StoredForm },
): Promise<Merged> {
  const { sql } = tx;
  const { missing, replacing, older } = await findDiffering(tx, rows, version, form);
  const batches = [...new Set([...(hasRemovals ? missing : []), ...replacing].map((row) => row.batch))];
  const receipts = await receiptsOf(tx, batches, version);
  const updated = replacing.filter(({ batch, entry }) => !receipts.get(batch)?.names(entry.sample.ts));
  // Only removal receipts name rows that do not exist.
  const isRemoved = ({ batch, entry }: Row) => receipts.get(batch)?.isRemoved(entry.sample.ts) === true;
  const created = missing.filter((row) => !isRemoved(row));
  const withheld = new Set(missing.filter(isRemoved).map((row) => row.batch));
  // What pieces own is written into them; there are no rows in their ranges.
  const loose = form === 'rows' ? { created, updated } : await writeIntoPieces(tx, { created, updated }, version);
  if (loose.created.length > 0) {
    await sql`
      INSERT INTO samples (user_source_id, series, ts, version, value, value2, end_ts, tz_offset, tz_origin, context_id, extra)
      SELECT i.user_source_id, i.series, i.ts, ${version.toString()}::bigint, i.value, i.value2, i.end_ts, i.tz_offset, i.tz_origin, i.context_id, i.extra
      FROM ${rowsAsTable(sql, loose.created)} ORDER BY i.ord`;
  }
  if (loose.updated.length > 0) {
    await sql`
      UPDATE samples s SET version = ${version.toString()}::bigint, value = i.value, value2 = i.value2, end_ts = i.end_ts,
        tz_offset = i.tz_offset, tz_origin = i.tz_origin, context_id = i.context_id, extra = i.extra
      FROM ${rowsAsTable(sql, loose.updated)}
      WHERE s.user_source_id = i.user_source_id AND s.series = i.series AND s.ts = i.ts`;
  }
  const outdated = missing.length - created.length + replacing.length - updated.length;
  return { created, updated, withheld, older: older + outdated };
}

async function receiptsOf(tx: Tx, batches: readonly IdentifiedBatch[], version: bigint) {
  if (batches.length === 0) return new Map<IdentifiedBatch, never>();
  const ranges = batches.map(({ userSourceId, series, entries }) => {
    return { userSourceId, series, fromMs: entries[0]?.sample.ts ?? 0, toMs: entries.at(-1)?.sample.ts ?? 0 };
  });
  const receipts = await laterReceipts(tx, ranges, version + 1n);
  return new Map(batches.map((batch, index) => [batch, receipts[index]]));
}
