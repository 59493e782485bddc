import type { Summary, WorkoutStream } from '@pulsewire/contract';
import { readTcx, type TcxPoint } from '../../../kit/values/tcx.ts';

type Channel = Exclude<keyof TcxPoint, 'time'>;

const channels: readonly (readonly [channel: Channel, name: keyof WorkoutStream['data']])[] = [
  ['lat', 'lat'],
  ['lng', 'lng'],
  ['altitude', 'altitude'],
  ['distance', 'distance'],
  ['heartrate', 'heartrate'],
  ['cadence', 'cadence'],
  ['power', 'power'],
  ['speed', 'velocity_smooth'],
];

/** The TCX file of a workout as its stream; null when it holds no track, undefined when it is no such file. */
export function mapWorkoutStream(xml: string, workout: Summary): WorkoutStream | null | undefined {
  const points = readTcx(xml);
  if (points === undefined || points.length === 0) return points === undefined ? undefined : null;
  const told = channels.filter(([channel]) => points.some((point) => point[channel] !== null));
  return {
    kind: 'stream',
    resource: 'workout_stream',
    workoutId: workout.id,
    providerId: workout.data['provider_id'] as string,
    sport: workout.data['sport'] as WorkoutStream['sport'],
    source: workout.source,
    data: {
      time: points.map(({ time }) => time),
      ...Object.fromEntries(told.map(([channel, name]) => [name, points.map((point) => point[channel])])),
    },
  };
}
