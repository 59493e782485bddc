import { packStream, type WorkoutStream } from '@pulsewire/contract';
import { byteaArray, plainArray, type Tx } from '@pulsewire/database';

export interface UnpackedRow {
  readonly workout_id: string;
  readonly data: WorkoutStream['data'];
}

/** Replaces the JSON of these rows, which the caller has locked, by its packed form. Version and time of the last change stay. */
export async function replaceJson({ sql }: Tx, rows: readonly UnpackedRow[]): Promise<void> {
  await sql`
    UPDATE workout_streams s SET packed = i.packed, data = NULL
    FROM unnest(${plainArray(rows.map((row) => row.workout_id))}::uuid[], ${byteaArray(rows.map(({ data }) => packStream(data)))}::bytea[]) AS i(id, packed)
    WHERE s.workout_id = i.id`;
}

/** Packs the streams of these workouts that an earlier version stored as JSON, so that they can be compared with packed ones. */
export async function packStored(tx: Tx, workoutIds: string): Promise<void> {
  const rows = await tx.sql<UnpackedRow[]>`
    SELECT workout_id, data FROM workout_streams WHERE workout_id = ANY(${workoutIds}::uuid[]) AND data IS NOT NULL ORDER BY workout_id FOR UPDATE`;
  if (rows.length > 0) await replaceJson(tx, rows);
}
