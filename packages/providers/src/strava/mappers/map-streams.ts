import type { Quarantined, StreamChannel, WorkoutStream } from '@pulsewire/contract';
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

type Values = readonly (number | null)[];

/** Index i of every stream is the same instant, so a stream of another length cannot be used. */
function itemsOf(streams: JsonNode, name: string, length: number): JsonNode[] | null {
  const data = streams.at(name).at('data');
  if (data.isMissing) return null;
  const items = data.items();
  if (items.length !== length) throw data.fail('unknown_shape');
  return items;
}

function readChannels(streams: JsonNode, length: number): Partial<Record<StreamChannel, Values>> {
  const read: Partial<Record<StreamChannel, Values>> = {};
  for (const [name, channel] of channels) {
    const items = itemsOf(streams, name, length);
    if (items !== null) read[channel] = items.map((item) => item.optional((node) => node.number()));
  }
  const places = itemsOf(streams, 'latlng', length)?.map((item) =>
    item.optional((node) => node.items().map((degrees) => degrees.number())),
  );
  if (places) {
    read.lat = places.map((place) => place?.[0] ?? null);
    read.lng = places.map((place) => place?.[1] ?? null);
  }
  return read;
}

/** Seconds since the start, which must not run backwards, as Unix seconds. */
function readTime(streams: JsonNode, startMs: number): number[] {
  let last = 0;
  return streams
    .at('time')
    .at('data')
    .items()
    .map((item) => {
      const seconds = item.amount();
      if (seconds < last) throw item.fail('bad_time');
      last = seconds;
      return Math.round(startMs / 1000 + seconds);
    });
}

/**
 * `/activities/{id}/streams` of an activity; `activity` is the response that contains it. Quarantined as a whole when a part of
 * it is unreadable.
 */
export function mapStreams(body: unknown, activity: unknown, context: StravaContext): MappedRecords {
  const quarantined: Quarantined[] = [];
  const item = new JsonNode(activity);
  const record = readWhole('workout_stream', quarantined, (): WorkoutStream | undefined => {
    const streams = new JsonNode(body);
    if (streams.at('time').isMissing && typeof body === 'object' && body !== null) return undefined;
    const providerId = item.at('id').id();
    const time = readTime(streams, item.at('start_date').time(parseInstant).ms);
    return {
      kind: 'stream',
      resource: 'workout_stream',
      workoutId: context.idOf('workouts', app, providerId),
      providerId,
      sport: sportOf(sportOfActivity(item)),
      source: context.sourceOf(app),
      data: { time, ...readChannels(streams, time.length) },
    };
  });
  return { records: record === undefined ? [] : recordedBy(deviceOfActivity(item, context), [record]), quarantined };
}
