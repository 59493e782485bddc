import type { WorkoutStream } from '@pulsewire/contract';
import type { Executor } from '@pulsewire/database';

export type StoredStream = WorkoutStream['data'];

/** The stream of a team's workout (contract 9.1). `null`: the workout is known and has none; `undefined`: there is no such workout. */
export async function readWorkoutStream(
  { sql }: Executor,
  { teamId, workoutId }: { readonly teamId: string; readonly workoutId: string },
): Promise<StoredStream | null | undefined> {
  const [row] = await sql<{ data: StoredStream | null }[]>`
    SELECT s.data FROM summaries w LEFT JOIN workout_streams s ON s.workout_id = w.id
    WHERE w.id = ${workoutId} AND w.team_id = ${teamId} AND w.resource = 'workouts'`;
  return row?.data === undefined ? undefined : row.data;
}
