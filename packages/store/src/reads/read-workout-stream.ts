import { packStream, unpackStream, type WorkoutStream } from '@pulsewire/contract';
import { plainArray, type Executor } from '@pulsewire/database';

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

/** The stored streams of some workouts of a user. */
export async function readStreams(
  { sql }: Executor,
  { teamId, userId, workoutIds }: { readonly teamId: string; readonly userId: string; readonly workoutIds: readonly string[] },
): Promise<ReadonlyMap<string, WorkoutStream['data']>> {
  const rows = await sql<(Pick<Row, 'packed' | 'data'> & { readonly id: string })[]>`
    SELECT workout_id AS id, packed, data FROM workout_streams
    WHERE workout_id = ANY(${plainArray(workoutIds)}::uuid[]) AND user_id = ${userId} AND team_id = ${teamId}`;
  return new Map(
    rows.flatMap(({ id, packed, data }) => {
      const stream = data ?? (packed && unpackStream(packed));
      return stream ? [[id, stream] as const] : [];
    }),
  );
}
