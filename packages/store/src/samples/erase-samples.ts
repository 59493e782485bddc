import type { Tx } from '@pulsewire/database';

/** Samples in a piece, at most a few times as many. */
const samplesPerPiece = 1000;

/** Removes about `limit` samples of a source, rows first; returns their number, 0 when there are none. */
export async function eraseSome({ sql }: Tx, userSourceId: number, limit: number): Promise<number> {
  const rows = await sql`
    DELETE FROM samples WHERE ctid = ANY(ARRAY(SELECT ctid FROM samples WHERE user_source_id = ${userSourceId} LIMIT ${limit}))`;
  if (rows.count > 0) return rows.count;
  const pieces = await sql<{ count: number }[]>`
    DELETE FROM sample_pieces WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM sample_pieces WHERE user_source_id = ${userSourceId} LIMIT ${Math.ceil(limit / samplesPerPiece)})) RETURNING count`;
  return pieces.reduce((sum, { count }) => sum + count, 0);
}

/** Removes all samples of some sources, an array of numbers. */
export async function eraseAll({ sql }: Tx, userSourceIds: string): Promise<void> {
  await sql`DELETE FROM samples WHERE user_source_id = ANY(${userSourceIds}::int[])`;
  await sql`DELETE FROM sample_pieces WHERE user_source_id = ANY(${userSourceIds}::int[])`;
}
