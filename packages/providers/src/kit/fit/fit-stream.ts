import type { StreamChannel, WorkoutStream } from '@pulsewire/contract';
import type { FitFields } from './fit.ts';
import { fieldsOf, fitSeconds, scaled, either, type FitReader } from './fit-fields.ts';
import { roundTo } from '../values/numbers.ts';

const degreesPerSemicircle = 180 / 2 ** 31;
/** Records further from the others than this have the time of a clock that was not set yet, or of damaged memory. */
const apartSecondsMax = 30 * 86_400;

const degrees =
  (field: number): FitReader =>
  (fields) => {
    const value = fields.get(field);
    return value === undefined ? null : roundTo(value * degreesPerSemicircle, 6);
  };

const channels: Readonly<Partial<Record<StreamChannel, FitReader>>> = {
  lat: degrees(fieldsOf.record.lat),
  lng: degrees(fieldsOf.record.lng),
  altitude: either(scaled(78, 5, 500), scaled(2, 5, 500)),
  // A heart rate is never zero.
  heartrate: (fields) => fields.get(3) || null,
  cadence: scaled(4, 1),
  distance: scaled(5, 100),
  velocity_smooth: either(scaled(73, 1000), scaled(6, 1000)),
  power: scaled(7, 1),
  temperature: scaled(13, 1),
};

/** No fix is written as 0, 0, as the largest or the smallest number; the last of these would be 180 degrees south. */
function isPlace(fields: FitFields): boolean {
  const [lat, lng] = [fields.get(fieldsOf.record.lat), fields.get(fieldsOf.record.lng)];
  if (lat === undefined || lng === undefined || (lat === 0 && lng === 0)) return false;
  return Math.abs(lat) <= 2 ** 30 && lng > -(2 ** 31);
}

/** Several records of one second state different fields. */
function mergeBySecond(records: readonly FitFields[]): Map<number, FitFields> {
  const bySecond = new Map<number, FitFields>();
  for (const record of records) {
    const seconds = fitSeconds(record);
    if (seconds === null) continue;
    const earlier = bySecond.get(seconds);
    bySecond.set(seconds, earlier ? new Map([...earlier, ...record]) : record);
  }
  return bySecond;
}

interface FitStream {
  /** Null when no record has a usable time. */
  readonly data: WorkoutStream['data'] | null;
  /** Whether records were left out because of their time. */
  readonly hasBadTimes: boolean;
}

/** One point per second. Records of another month than the others are left out. */
export function readFitStream(records: readonly FitFields[]): FitStream {
  const bySecond = mergeBySecond(records);
  const all = [...bySecond.keys()].toSorted((a, b) => a - b);
  const middle = all[Math.floor(all.length / 2)] ?? 0;
  const time = all.filter((second) => Math.abs(second - middle) <= apartSecondsMax);
  const hasBadTimes = time.length < all.length || records.some((record) => fitSeconds(record) === null);
  if (time.length === 0) return { data: null, hasBadTimes };
  const points = time.map((second) => bySecond.get(second) ?? new Map<number, number>());
  const lists = Object.entries(channels).flatMap(([channel, read]) => {
    const isOfPlace = channel === 'lat' || channel === 'lng';
    const values = points.map((point) => (isOfPlace && !isPlace(point) ? null : read(point)));
    return values.some((value) => value !== null) ? [[channel, values] as const] : [];
  });
  return { data: { time, ...Object.fromEntries(lists) }, hasBadTimes };
}
