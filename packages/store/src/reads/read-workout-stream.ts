import type { WorkoutStream } from '@pulsewire/contract';
import type { Executor } from '@pulsewire/database';

export type StoredStream = WorkoutStream['data'];

/** The stream of a workout, and whose it is; `data` null: it has none. */
export interface FoundStream {
  readonly userId: string;
  readonly data: StoredStream | null;
}

/** The stream of a team's workout. `undefined`: there is no such workout. */
export async function readWorkoutStream(
  { sql }: Executor,
  { teamId, workoutId }: { readonly teamId: string; readonly workoutId: string },
): Promise<FoundStream | undefined> {
  const [row] = await sql<{ user_id: string; data: StoredStream | null }[]>`
    SELECT w.user_id, s.data FROM summaries w LEFT JOIN workout_streams s ON s.workout_id = w.id
    WHERE w.id = ${workoutId} AND w.team_id = ${teamId} AND w.resource = 'workouts'`;
  return row && { userId: row.user_id, data: row.data };
}
