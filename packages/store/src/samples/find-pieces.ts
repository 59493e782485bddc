import { plainArray, type Tx } from '@pulsewire/database';
import type { SeriesNumbers } from './identify.ts';

/** The identity of a sample within a series of a source; ms since the epoch. */
export interface SampleKey extends SeriesNumbers {
  readonly ts: number;
}

/** A stored piece; its first time in ms since the epoch. */
export interface Piece extends SeriesNumbers {
  readonly fromMs: number;
  readonly count: number;
}

/** For each time the piece that owns it, whether it has this sample or not; null where rows do. The caller holds the user's lock. */
export async function findPieces({ sql }: Tx, keys: readonly SampleKey[]): Promise<readonly (Piece | null)[]> {
  const rows = await sql<{ ord: string; from_ms: number; count: number }[]>`
    SELECT k.ord, date_part('epoch', p.from_ts) * 1000 AS from_ms, p.count
    FROM unnest(
      ${plainArray(keys.map(({ userSourceId }) => userSourceId))}::int[], ${plainArray(keys.map(({ series }) => series))}::smallint[],
      ${plainArray(keys.map(({ ts }) => ts))}::float8[]
    ) WITH ORDINALITY AS k(id, series, ms, ord)
    CROSS JOIN LATERAL (
      SELECT p.from_ts, p.to_ts, p.count FROM sample_pieces p
      WHERE p.user_source_id = k.id AND p.series = k.series AND p.from_ts <= to_timestamp(k.ms / 1000) ORDER BY p.from_ts DESC LIMIT 1
    ) p
    WHERE p.to_ts >= to_timestamp(k.ms / 1000)`;
  const found = keys.map((): Piece | null => null);
  for (const { ord, from_ms: fromMs, count } of rows) {
    const { userSourceId, series } = keys[Number(ord) - 1] as SampleKey;
    found[Number(ord) - 1] = { userSourceId, series, fromMs: Math.round(fromMs), count };
  }
  return found;
}
