import type { Quarantined, StreamChannel, WorkoutStream } from '@pulsewire/contract';
import { readParallelLists, type ParallelList } from '../kit/records/parallel-lists.ts';
import { JsonNode } from '../kit/values/json-node.ts';
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

function readData(records: JsonNode, quarantined: Quarantined[]): WorkoutStream['data'] | null {
  const lists = channels.map(([theirs, channel, digits]): ParallelList => ({
    channel,
    node: records.at(theirs),
    read(item) {
      const value = roundTo(item.number(), digits);
      // No signal.
      return channel === 'heartrate' ? value || null : value;
    },
  }));
  const data = readParallelLists(records.at('timestamp'), (item) => Math.round(item.amount()), lists, quarantined);
  if (!data?.lat || !data.lng) return data;
  // A position of 0, 0 means that there was no GPS fix.
  const { lat, lng } = data;
  const hasFix = lat.map((value, index) => value !== 0 || lng[index] !== 0);
  const placed = (values: Values) => values.map((value, index) => (hasFix[index] ? value : null));
  return { ...data, lat: placed(lat), lng: placed(lng) };
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
  const data = readData(root.at('recordData'), quarantined);
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
