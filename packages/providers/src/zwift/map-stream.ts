import type { Quarantined, StreamChannel, WorkoutStream } from '@pulsewire/contract';
import { JsonNode, readWhole } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import { readParallelLists, type ParallelList } from '../kit/records/parallel-lists.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { sportOf } from '../kit/values/sports.ts';
import type { ListedActivity } from './activity.ts';
import { app } from './zwift.ts';

/** Zwift's channels, and their divisors to our units. */
const channels: readonly (readonly [zwift: string, ours: StreamChannel, divisor: number])[] = [
  ['powerInWatts', 'power', 1],
  ['heartRate', 'heartrate', 1],
  ['cadencePerMin', 'cadence', 1],
  ['distanceInCm', 'distance', 100],
  ['speedInCmPerSec', 'velocity_smooth', 100],
  ['altitudeInCm', 'altitude', 100],
];

function listsOf(root: JsonNode): ParallelList[] {
  const measured = channels.map(([theirs, channel, divisor]): ParallelList => ({
    channel,
    node: root.at(theirs),
    read(item) {
      const value = roundTo(item.number() / divisor, 2);
      // A heart rate of zero means that the strap was not worn. Zero watts is a real value: the rider is not pedalling.
      return channel === 'heartrate' ? value || null : value;
    },
  }));
  const places = (['lat', 'lng'] as const).map((channel, place): ParallelList => ({
    channel,
    node: root.at('latlng'),
    read: (pair) => roundTo((pair.items()[place] ?? pair).number(), 6),
  }));
  return [...measured, ...places];
}

/** The parallel lists of `fullDataUrl`. */
export function mapStream(
  body: unknown,
  activity: ListedActivity,
  context: RecordMaker,
  quarantined: Quarantined[],
): WorkoutStream | undefined {
  return readWhole('workout_stream', quarantined, (): WorkoutStream | undefined => {
    const root = new JsonNode(body);
    const startSeconds = Math.floor(activity.startMs / 1000);
    const times = root.at('timeInSec');
    if (!Array.isArray(times.value)) throw times.fail('unknown_shape');
    const data = readParallelLists(times, (item) => startSeconds + Math.round(item.amount()), listsOf(root), quarantined);
    if (data === null || Object.keys(data).length === 1) return undefined;
    return {
      kind: 'stream',
      resource: 'workout_stream',
      workoutId: context.idOf('workouts', app, activity.id),
      providerId: activity.id,
      sport: sportOf(activity.sport),
      source: context.sourceOf(app),
      data,
    };
  });
}
