import type { StreamChannel, WorkoutStream } from '@pulsewire/contract';
import { withZones } from '../kit/records/heart-rate-zones.ts';
import { createRecordMaker } from '../kit/records/record-maker.ts';
import { workoutRecord } from '../kit/records/workout-record.ts';
import { sportByWords } from '../kit/values/sport-by-words.ts';
import { sportOf } from '../kit/values/sports.ts';
import type { Collected } from './map-records.ts';
import { dayAt, instantOf, isItem, numberOf, rowOf, sourceOf, spanOf, textOf } from './read-item.ts';
import type { PhoneItem, PhoneUser } from './types.ts';
import type { Zones } from './zones.ts';

type Values = ReadonlyMap<string, { readonly value: number; readonly unit: string }>;

/** Names are compared without case and underscores: phones write `TOTAL_CALORIES` and `totalCalories`. */
const nameOf = (text: string) => text.toLowerCase().replaceAll('_', '');

function valuesOf(item: PhoneItem): Values {
  const list = Array.isArray(item['values']) ? item['values'] : [];
  const values = new Map<string, { value: number; unit: string }>();
  for (const entry of list) {
    const [type, value] = isItem(entry) ? [textOf(entry['type']), numberOf(entry['value'])] : [null, null];
    if (isItem(entry) && type !== null && value !== null) values.set(nameOf(type), { value, unit: textOf(entry['unit']) ?? '' });
  }
  return values;
}

function first(values: Values, ...names: string[]): number | null {
  for (const name of names) {
    const found = values.get(nameOf(name));
    if (found) return found.value;
  }
  return null;
}

const whole = (value: number | null) => (value === null ? null : Math.round(value));

function movingTimeOf(values: Values): number | null {
  const found = values.get('duration') ?? values.get('totalduration');
  if (!found) return null;
  // Without a unit it comes from Samsung, which counts milliseconds.
  return Math.round(found.unit === 's' ? found.value : found.unit === 'min' ? found.value * 60 : found.value / 1000);
}

/** HealthKit separates movement and basal rate; their sum is what others call the energy of a workout. */
function caloriesOf(values: Values): number | null {
  const total = first(values, 'calories', 'totalCalories');
  if (total !== null) return total;
  const active = first(values, 'activeEnergyBurned');
  return active === null ? null : active + (first(values, 'basalEnergyBurned') ?? 0);
}

function dataOf(values: Values): Record<string, unknown> {
  return {
    moving_time: movingTimeOf(values),
    calories: caloriesOf(values),
    distance: first(values, 'distance', 'totalDistance'),
    average_hr: whole(first(values, 'averageHeartRate', 'meanHeartRate')),
    max_hr: whole(first(values, 'maxHeartRate')),
    average_speed: first(values, 'averageSpeed', 'averageRunningSpeed', 'meanSpeed'),
    max_speed: first(values, 'maxSpeed'),
    average_watts: first(values, 'averageRunningPower'),
    total_elevation_gain: first(values, 'elevationAscended', 'altitudeGain'),
    elev_high: first(values, 'maxAltitude'),
    elev_low: first(values, 'minAltitude'),
    steps: whole(first(values, 'stepCount')),
  };
}

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
    const source = sourceOf(user.provider, item);
    const offset = zones.offsetOf(item, startMs);
    const { offsetFrom } = zones.offsetFields(item, startMs);
    const sport = sportByWords(textOf(item['type']) ?? '');
    const itemId = textOf(item['id']);
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
      data: dataOf(valuesOf(item)),
    });
    const data = streamOf(item);
    to.keep({ ...(data ? withZones(user, record, data) : record), source });
    const providerId = String(record.data['provider_id']);
    if (data)
      to.keep({ kind: 'stream', resource: 'workout_stream', workoutId: record.id, providerId, sport: sportOf(sport), source, data });
    if (itemId !== null && itemId.length <= 200)
      to.refer({ itemId, resource: 'workouts', subKind: '', sourceType: source.type, atMs: startMs, summaryId: record.id });
  }
}
