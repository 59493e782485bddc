import { plainArray, type Tx } from '@pulsewire/database';
import { unpackKeys } from '../model/receipt-keys.ts';
import type { SeriesNumbers } from './identify.ts';

/** A series and a range of times in it, in ms since the epoch; both inclusive. */
export interface SeriesRange extends SeriesNumbers {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The receipts of a series from some version on. */
export interface LaterReceipts {
  /** Whether a write or removal names this time. */
  names(ts: number): boolean;
  isWritten(ts: number): boolean;
  isRemoved(ts: number): boolean;
}

interface Found {
  readonly ord: string;
  readonly keys: Buffer | null;
  readonly is_removal: boolean;
  readonly from_ms: number;
  readonly to_ms: number;
}

type Covers = (ts: number) => boolean;

function coverOf({ keys, from_ms, to_ms }: Found): Covers {
  if (!keys) return (ts) => ts >= Math.round(from_ms) && ts <= Math.round(to_ms);
  const times = new Set(unpackKeys(keys));
  return (ts) => times.has(ts);
}

/** For each range its receipts of `fromVersion` or later. Only receipts show that a stored row was received again. */
export async function laterReceipts({ sql }: Tx, ranges: readonly SeriesRange[], fromVersion: bigint): Promise<readonly LaterReceipts[]> {
  const found = await sql<Found[]>`
    SELECT b.ord, r.keys, r.is_removal, date_part('epoch', r.from_ts) * 1000 AS from_ms, date_part('epoch', r.to_ts) * 1000 AS to_ms
    FROM unnest(
      ${plainArray(ranges.map((range) => range.userSourceId))}::int[], ${plainArray(ranges.map((range) => range.series))}::smallint[],
      ${plainArray(ranges.map((range) => range.fromMs))}::float8[], ${plainArray(ranges.map((range) => range.toMs))}::float8[]
    ) WITH ORDINALITY AS b(id, series, from_ms, to_ms, ord)
    CROSS JOIN LATERAL (
      SELECT * FROM sample_receipts r
      WHERE r.user_source_id = b.id AND r.series = b.series AND r.version >= ${fromVersion.toString()}::bigint
        AND r.to_ts >= to_timestamp(b.from_ms / 1000) AND r.from_ts <= to_timestamp(b.to_ms / 1000)
      OFFSET 0
    ) r`;
  const byRange = Map.groupBy(found, ({ ord }) => Number(ord) - 1);
  return ranges.map((_, index) => {
    const receipts = (byRange.get(index) ?? []).map((row) => ({ isRemoval: row.is_removal, covers: coverOf(row) }));
    const has = (ts: number, isRemoval: boolean) => receipts.some((receipt) => receipt.isRemoval === isRemoval && receipt.covers(ts));
    return { names: (ts) => has(ts, true) || has(ts, false), isWritten: (ts) => has(ts, false), isRemoved: (ts) => has(ts, true) };
  });
}
