import { AppError } from '@pulsewire/kernel';
import { WorkoutParams, WorkoutStreamBody } from '@pulsewire/contract';
import { getUser } from '@pulsewire/connections';
import { readWorkoutStream } from '@pulsewire/store';
import { workoutStreamChunks } from '../../../render/workout-stream.ts';
import { defineRoute, streamed } from '../../../route/route.ts';

const notFound = () => new AppError({ code: 'workout_not_found', kind: 'not_found', message: 'Workout not found' });

export const readWorkoutStreamRoute = defineRoute({
  method: 'GET',
  path: '/v2/timeseries/workouts/{workout_id}/stream',
  operationId: 'readWorkoutStream',
  area: 'timeseries',
  auth: 'key',
  summary: 'Read the stream of a workout',
  description: 'Parallel arrays over `time`; null where a sensor has no value. A workout without a stream has empty arrays.',
  params: WorkoutParams,
  responses: { 200: { description: 'The stream.', schema: WorkoutStreamBody } },
  failures: [404],
  async handler({ database, team }, { params }) {
    const found = await readWorkoutStream(database, { teamId: team.teamId, workoutId: params.workout_id });
    if (found === undefined) throw notFound();
    await getUser(database, team.teamId, found.userId);
    return streamed(workoutStreamChunks(found.packed), found.state, { userId: found.userId });
  },
});
