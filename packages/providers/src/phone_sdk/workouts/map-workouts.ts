import type { StreamChannel, WorkoutStream } from '@pulsewire/contract';
import { withZones } from '../../kit/records/heart-rate-zones.ts';
import { createRecordMaker } from '../../kit/records/record-maker.ts';
import { workoutRecord } from '../../kit/records/workout-record.ts';
import { sportByWords } from '../../kit/values/sport-by-words.ts';
import { sportOf } from '../../kit/values/sports.ts';
import type { Collected } from '../collected.ts';
import { dayAt, idOf, instantOf, isItem, numberOf, rowOf, spanOf, textOf } from '../read-item.ts';
import { sourceOf } from '../source.ts';
import type { PhoneItem, PhoneUser } from '../types.ts';
import { workoutFields } from './workout-values.ts';
import type { Zones } from '../zones.ts';

/** Names are compared without case and underscores. */
const nameOf = (text: string) => text.toLowerCase().replaceAll('_', '');

const channels: Readonly<Record<string, StreamChannel>> = {
  heartrate: 'heartrate',
  cadence: 'cadence',
  speed: 'velocity_smooth',
  power: 'power',
};
const routeChannels = [
  ['latitude', 'lat'],
  ['longitude', 'lng'],
  ['altitudeM', 'altitude'],
] as const;

/** The points of route and samples by second. */
function streamOf(item: PhoneItem): WorkoutStream['data'] | null {
  const seconds = new Map<number, Partial<Record<StreamChannel, number>>>();
  const put = (at: unknown, channel: StreamChannel, value: number | null) => {
    const ms = instantOf(at);
    if (ms === null || value === null) return;
    const second = Math.floor(ms / 1000);
    seconds.set(second, { ...seconds.get(second), [channel]: value });
  };
  const listOf = (key: string) => (Array.isArray(item[key]) ? item[key] : []).filter(isItem);
  for (const spot of listOf('route')) for (const [key, channel] of routeChannels) put(spot['timestamp'], channel, numberOf(spot[key]));
  for (const sample of listOf('samples')) {
    const channel = rowOf(channels, nameOf(textOf(sample['type']) ?? ''));
    if (channel) put(sample['timestamp'], channel, numberOf(sample['value']));
  }
  if (seconds.size === 0) return null;
  const time = [...seconds.keys()].sort((a, b) => a - b);
  const used = new Set([...seconds.values()].flatMap((values) => Object.keys(values) as StreamChannel[]));
  const columns = [...used].map((channel) => [channel, time.map((second) => seconds.get(second)?.[channel] ?? null)]);
  return { time, ...Object.fromEntries(columns) };
}

const titleMax = 500;

/** Maps workouts. Their identity is app, start and end: some phones make up new ids whenever they read. */
export function mapWorkouts(items: readonly unknown[], user: PhoneUser, zones: Zones, to: Collected): void {
  const maker = createRecordMaker(user.provider, {
    userId: user.userId,
    fallbackTimeZone: null,
    providerUserId: '',
    grantedScopes: [],
    account: {},
  });
  for (const item of items) {
    const span = isItem(item) ? spanOf(item) : null;
    if (!isItem(item) || !span) {
      to.leaveOut(isItem(item) ? 'bad_time' : 'unknown_shape');
      continue;
    }
    const { startMs, endMs } = span;
    const source = sourceOf(user, item);
    const offset = zones.offsetOf(item, startMs);
    const { offsetFrom } = zones.offsetFields(item, startMs);
    const sport = sportByWords(textOf(item['type']) ?? '');
    const itemId = idOf(item['id']);
    const record = workoutRecord(maker, {
      externalId: [source.appId ?? '', new Date(startMs).toISOString(), new Date(endMs).toISOString()].join('|'),
      sourceType: source.type,
      day: dayAt(startMs, offset),
      startMs,
      endMs,
      offset,
      offsetFrom,
      title: textOf(item['title'])?.slice(0, titleMax) ?? null,
      sport,
      data: workoutFields(item, sport, to),
    });
    const data = streamOf(item);
    to.keep({ ...(data ? withZones(user, record, data) : record), source });
    const providerId = String(record.data['provider_id']);
    if (data)
      to.keep({ kind: 'stream', resource: 'workout_stream', workoutId: record.id, providerId, sport: sportOf(sport), source, data });
    if (itemId !== null)
      to.refer({
        itemId,
        resource: 'workouts',
        subKind: '',
        sourceType: source.type,
        atMs: startMs,
        summaryId: record.id,
        parentId: idOf(item['parentId']),
      });
  }
}
