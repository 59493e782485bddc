import type { Database } from '@pulsewire/database';
import { replaceJson, type UnpackedRow } from './pack-stored.ts';

/** The stream of a day-long ride is several megabytes of JSON. */
const rowsPerBatch = 10;

/**
 * Packs up to `limit` streams that an earlier version stored as JSON, a few in each transaction; returns their number. It never waits for a
 * writer: rows locked by one are left to the next run.
 */
export async function packStreams(database: Database, limit: number): Promise<number> {
  let packed = 0;
  while (packed < limit) {
    const count = await database.transaction(async (tx) => {
      const rows = await tx.sql<UnpackedRow[]>`
        SELECT workout_id, data FROM workout_streams WHERE data IS NOT NULL ORDER BY workout_id
        LIMIT ${Math.min(rowsPerBatch, limit - packed)} FOR UPDATE SKIP LOCKED`;
      if (rows.length > 0) await replaceJson(tx, rows);
      return rows.length;
    });
    if (count === 0) break;
    packed += count;
  }
  return packed;
}
