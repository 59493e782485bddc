import type { Quarantined, StreamChannel, WorkoutStream } from '@pulsewire/contract';
import { readParallelLists, type ParallelList } from '../../kit/records/parallel-lists.ts';
import { recordedBy } from '../../kit/records/recorded-by.ts';
import { JsonNode, readWhole } from '../../kit/values/json-node.ts';
import { sportOf } from '../../kit/values/sports.ts';
import { parseInstant } from '../../kit/time/time.ts';
import type { MappedRecords } from '../../kit/types/connector.ts';
import { deviceOfActivity, sportOfActivity } from './map-activity.ts';
import { app, type StravaContext } from '../strava.ts';

/** Strava's names of our stream channels. */
const channels: readonly (readonly [name: string, channel: StreamChannel])[] = [
  ['heartrate', 'heartrate'],
  ['cadence', 'cadence'],
  ['altitude', 'altitude'],
  ['velocity_smooth', 'velocity_smooth'],
  ['distance', 'distance'],
  ['watts', 'power'],
  ['temp', 'temperature'],
];
export const streamKeys = ['time', 'latlng', ...channels.map(([name]) => name)].join(',');

function listsOf(streams: JsonNode): ParallelList[] {
  const places = (['lat', 'lng'] as const).map((channel, place): ParallelList => ({
    channel,
    node: streams.at('latlng').at('data'),
    read: (pair) => (pair.items()[place] ?? pair).number(),
  }));
  const measured = channels.map(([name, channel]): ParallelList => ({
    channel,
    node: streams.at(name).at('data'),
    read: (item) => item.number(),
  }));
  return [...measured, ...places];
}

/** `/activities/{id}/streams` of an activity; `activity` is the response that contains it. */
export function mapStreams(body: unknown, activity: unknown, context: StravaContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const item = new JsonNode(activity);
  const record = readWhole('workout_stream', quarantined, (): WorkoutStream | undefined => {
    const streams = new JsonNode(body);
    if (streams.at('time').isMissing && typeof body === 'object' && body !== null) return undefined;
    const providerId = item.at('id').id();
    const startSeconds = item.at('start_date').time(parseInstant).ms / 1000;
    const times = streams.at('time').at('data');
    if (!Array.isArray(times.value)) throw times.fail('unknown_shape');
    const data = readParallelLists(times, (second) => Math.round(startSeconds + second.amount()), listsOf(streams), quarantined);
    if (data === null) return undefined;
    return {
      kind: 'stream',
      resource: 'workout_stream',
      workoutId: context.idOf('workouts', app, providerId),
      providerId,
      sport: sportOf(sportOfActivity(item)),
      source: context.sourceOf(app),
      data,
    };
  });
  return { records: record === undefined ? [] : recordedBy(deviceOfActivity(item, context), [record]), quarantined };
}
