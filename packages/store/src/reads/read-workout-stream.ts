import { packStream, type WorkoutStream } from '@pulsewire/contract';
import type { Executor } from '@pulsewire/database';

/** The stream of a workout, and its owner. */
export interface FoundStream {
  readonly userId: string;
  /** For `openStream`; null: the workout has none. */
  readonly packed: Buffer | null;
  /** Changes with the stream. */
  readonly state: string;
}

interface Row {
  user_id: string;
  packed: Buffer | null;
  data: WorkoutStream['data'] | null;
  state: string;
}

/** The stream of a team's workout. `undefined`: there is no such workout. */
export async function readWorkoutStream(
  { sql }: Executor,
  { teamId, workoutId }: { readonly teamId: string; readonly workoutId: string },
): Promise<FoundStream | undefined> {
  const [row] = await sql<Row[]>`
    SELECT w.user_id, s.packed, s.data, concat(s.updated_at) AS state FROM summaries w LEFT JOIN workout_streams s ON s.workout_id = w.id
    WHERE w.id = ${workoutId} AND w.team_id = ${teamId} AND w.resource = 'workouts'`;
  // With both set, a process of an earlier version wrote the JSON last.
  return row && { userId: row.user_id, packed: row.data === null ? row.packed : packStream(row.data), state: row.state };
}
