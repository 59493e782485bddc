import type { Quarantined, StreamChannel, WorkoutStream } from '@pulsewire/contract';
import { JsonNode, readWhole } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
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

/** A list as long as the time, with null where a sensor dropped out; null when the list is missing. */
function readChannel(node: JsonNode, length: number, read: (item: JsonNode) => number): (number | null)[] | null {
  const items = node.itemsOrNone();
  if (items.length === 0) return null;
  if (items.length !== length) throw node.fail('unknown_shape');
  return items.map((item) => item.optional(read));
}

function readData(root: JsonNode, startSeconds: number): WorkoutStream['data'] | undefined {
  const time = root
    .at('timeInSec')
    .items()
    .map((item) => startSeconds + Math.round(item.amount()));
  if (time.length === 0) return undefined;
  if (time.some((second, index) => second < (time[index - 1] ?? 0))) throw root.at('timeInSec').fail('bad_time');
  const data: Partial<Record<StreamChannel, (number | null)[]>> = {};
  for (const [theirs, ours, divisor] of channels) {
    const read = readChannel(root.at(theirs), time.length, (item) => roundTo(item.number() / divisor, 2));
    // A heart rate of zero means that the strap was not worn. Zero watts is a real value: the rider is not pedalling.
    const values = ours === 'heartrate' ? (read?.map((value) => value || null) ?? null) : read;
    if (values?.some((value) => value !== null) === true) data[ours] = values;
  }
  for (const [place, ours] of (['lat', 'lng'] as const).entries()) {
    const values = readChannel(root.at('latlng'), time.length, (pair) => roundTo((pair.items()[place] ?? pair).number(), 6));
    if (values !== null) data[ours] = values;
  }
  return { time, ...data };
}

/**
 * The parallel lists of `fullDataUrl`. If one has another length than the time, the file is unusable, because it is not known
 * where the list was cut.
 */
export function mapStream(
  body: unknown,
  activity: ListedActivity,
  context: RecordMaker,
  quarantined: Quarantined[],
): WorkoutStream | undefined {
  return readWhole('workout_stream', quarantined, (): WorkoutStream | undefined => {
    const data = readData(new JsonNode(body), Math.floor(activity.startMs / 1000));
    if (data === undefined) return undefined;
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
