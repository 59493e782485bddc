import type { Quarantined, StreamChannel, WorkoutStream } from '@pulsewire/contract';
import { JsonNode, readWhole } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import { sportByWords } from '../kit/values/sport-by-words.ts';
import type { RideFile } from './map-ride.ts';

/** The lists of the details, with the digits that we keep. */
const channels: readonly (readonly [theirs: string, ours: StreamChannel, digits: number])[] = [
  ['lat', 'lat', 6],
  ['lng', 'lng', 6],
  ['elevation', 'altitude', 3],
  ['heartRate', 'heartrate', 0],
  ['cadence', 'cadence', 0],
  ['distance', 'distance', 3],
  ['speed', 'velocity_smooth', 3],
  ['power', 'power', 0],
  ['temperature', 'temperature', 3],
];

type Values = readonly (number | null)[];

/** A list as long as the time; null when there was no such sensor. */
function readList(node: JsonNode, length: number, digits: number): Values | null {
  const items = node.itemsOrNone();
  if (items.length === 0) return null;
  if (items.length !== length) throw node.fail('unknown_shape');
  return items.map((item) => item.optional((inner) => roundTo(inner.number(), digits)));
}

/** A position of 0, 0 means that there was no GPS fix, and a heart rate of 0 no signal. */
function cleaned(ours: StreamChannel, values: Values, { lat, lng }: { readonly lat: Values | null; readonly lng: Values | null }): Values {
  if (ours === 'heartrate') return values.map((value) => value || null);
  if (ours !== 'lat' && ours !== 'lng') return values;
  return values.map((value, index) => (lat?.[index] === 0 && lng?.[index] === 0 ? null : value));
}

function readData(records: JsonNode): WorkoutStream['data'] | null {
  const node = records.at('timestamp');
  const time = node.itemsOrNone().map((item) => Math.round(item.amount()));
  if (time.length === 0) return null;
  if (time.some((second, index) => second < (time[index - 1] ?? 0))) throw node.fail('bad_time');
  const listOf = (theirs: string, digits: number) => readList(records.at(theirs), time.length, digits);
  const places = { lat: listOf('lat', 6), lng: listOf('lng', 6) };
  const lists = channels.flatMap(([theirs, ours, digits]) => {
    const values = cleaned(ours, listOf(theirs, digits) ?? [], places);
    return values.some((value) => value !== null) ? [[ours, values] as const] : [];
  });
  return { time, ...Object.fromEntries(lists) };
}

function extreme(values: Values | undefined, pick: (a: number, b: number) => number): number | null {
  const known = (values ?? []).filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce(pick);
}

const highest = (a: number, b: number): number => Math.max(a, b);
const lowest = (a: number, b: number): number => Math.min(a, b);

/** `MOUNTAIN_BIKE`; null for kinds of rides without a sport of their own, such as `GRAVEL`. */
function readSport(activity: JsonNode): string | null {
  const { value: type } = activity.at('activityType');
  const sport = typeof type === 'string' ? sportByWords(type.replaceAll('_', ' ')) : 'other';
  return sport === 'other' ? null : sport;
}

/** The details of a ride, for one without a FIT file: its kind, and its readings where there are any. */
export function readDetails(body: unknown, quarantined: Quarantined[]): RideFile {
  const root = new JsonNode(body);
  const data = readWhole('workout_stream', quarantined, () => readData(root.at('recordData'))) ?? null;
  return {
    offset: null,
    sport: readSport(root.at('activityData')),
    figures: {
      max_hr: extreme(data?.heartrate, highest),
      max_speed: extreme(data?.velocity_smooth, highest),
      max_watts: extreme(data?.power, highest),
      weighted_average_watts: null,
      elev_high: extreme(data?.altitude, highest),
      elev_low: extreme(data?.altitude, lowest),
    },
    data,
  };
}
