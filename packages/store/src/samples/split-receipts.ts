import { plainArray, type Tx } from '@pulsewire/database';
import type { IdentifiedBatch } from './identify.ts';
import type { Row } from './columns.ts';

interface RangeReceipt {
  readonly version: string;
  readonly day: string;
  readonly from_ms: number;
  readonly to_ms: number;
}

/**
 * Removes rows that are created under an old version from the ranges of newer receipts. Those state that every row in the range was
 * received again, but these rows did not exist then. Rare: only a delayed response meets such receipts.
 */
export async function splitReceipts(tx: Tx, batch: IdentifiedBatch, created: readonly Row[], version: bigint): Promise<void> {
  const { sql } = tx;
  const times = created.filter((row) => row.batch === batch).map((row) => row.entry.sample.ts);
  if (times.length === 0) return;
  const cut = await sql<RangeReceipt[]>`
    DELETE FROM sample_receipts
    WHERE user_source_id = ${batch.userSourceId} AND series = ${batch.series} AND version > ${version.toString()} AND keys IS NULL AND NOT is_removal
      AND to_ts >= to_timestamp(${times[0] ?? 0}::float8 / 1000) AND from_ts <= to_timestamp(${times.at(-1) ?? 0}::float8 / 1000)
    RETURNING version::text, day::text, date_part('epoch', from_ts) * 1000 AS from_ms, date_part('epoch', to_ts) * 1000 AS to_ms`;
  const pieces = cut.flatMap((receipt) => piecesBetween(receipt, times));
  if (pieces.length === 0) return;
  await sql`
    INSERT INTO sample_receipts (user_source_id, series, version, day, from_ts, to_ts, keys)
    SELECT ${batch.userSourceId}, ${batch.series}, p.version, p.day, to_timestamp(p.from_ms / 1000), to_timestamp(p.to_ms / 1000), NULL
    FROM unnest(
      ${plainArray(pieces.map((piece) => piece.version))}::bigint[], ${plainArray(pieces.map((piece) => piece.day))}::date[],
      ${plainArray(pieces.map((piece) => piece.from_ms))}::float8[], ${plainArray(pieces.map((piece) => piece.to_ms))}::float8[]
    ) AS p(version, day, from_ms, to_ms)`;
}

/** The parts of a range without these times, which are ascending. Times are whole milliseconds. */
export function piecesBetween(receipt: RangeReceipt, times: readonly number[]): readonly RangeReceipt[] {
  const pieces: RangeReceipt[] = [];
  const toMs = Math.round(receipt.to_ms);
  let fromMs = Math.round(receipt.from_ms);
  for (const time of times) {
    if (time < fromMs) continue;
    if (time > toMs) break;
    if (time > fromMs) pieces.push({ ...receipt, from_ms: fromMs, to_ms: time - 1 });
    fromMs = time + 1;
  }
  if (fromMs <= toMs) pieces.push({ ...receipt, from_ms: fromMs, to_ms: toMs });
  return pieces;
}
