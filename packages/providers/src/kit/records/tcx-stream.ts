import type { Quarantined, Summary, WorkoutStream } from '@pulsewire/contract';
import { readTcx, type TcxPoint } from '../values/tcx.ts';

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

/**
 * Maps the TCX file of a workout to its stream; null when it contains no track, undefined when it is not a TCX file. A file whose end is
 * missing or damaged is kept up to there, and quarantined.
 */
export function mapTcxStream(xml: string, workout: Summary, quarantined: Quarantined[]): WorkoutStream | null | undefined {
  const points = readTcx(xml, () => {
    quarantined.push({ resource: 'workout_stream', reason: 'cut_off', pointer: '/file' });
  });
  if (points === undefined || points.length === 0) return points === undefined ? undefined : null;
  const present = channels.filter(([channel]) => points.some((point) => point[channel] !== null));
  return {
    kind: 'stream',
    resource: 'workout_stream',
    workoutId: workout.id,
    providerId: workout.data['provider_id'] as string,
    sport: workout.data['sport'] as WorkoutStream['sport'],
    source: workout.source,
    data: {
      time: points.map(({ time }) => time),
      ...Object.fromEntries(present.map(([channel, name]) => [name, points.map((point) => point[channel])])),
    },
  };
}
