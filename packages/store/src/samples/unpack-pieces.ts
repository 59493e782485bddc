import { plainArray, type Tx } from '@pulsewire/database';
import type { Piece } from './find-pieces.ts';

/** Turns pieces into rows with the same values and versions. The caller holds the user's lock. */
export async function unpackPieces({ sql }: Tx, pieces: readonly Omit<Piece, 'count'>[]): Promise<void> {
  if (pieces.length === 0) return;
  await sql`
    WITH gone AS (
      DELETE FROM sample_pieces p
      USING unnest(
        ${plainArray(pieces.map(({ userSourceId }) => userSourceId))}::int[], ${plainArray(pieces.map(({ series }) => series))}::smallint[],
        ${plainArray(pieces.map(({ fromMs }) => fromMs))}::float8[]
      ) AS k(id, series, ms)
      WHERE p.user_source_id = k.id AND p.series = k.series AND p.from_ts = to_timestamp(k.ms / 1000)
      RETURNING p AS piece)
    INSERT INTO samples (user_source_id, series, ts, version, value, value2, end_ts, tz_offset, tz_origin, context_id, extra)
    SELECT (g.piece).user_source_id, (g.piece).series, s.ts, s.version, s.value, s.value2, s.end_ts, s.tz_offset, s.tz_origin, s.context_id, s.extra
    FROM gone g CROSS JOIN LATERAL samples_of_piece(g.piece) s`;
}
