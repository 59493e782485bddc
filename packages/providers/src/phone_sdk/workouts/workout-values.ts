import { coveredMs, within } from '../../kit/time/partition.ts';
import type { Collected } from '../collected.ts';
import { isItem, numberOf, spanOf, textOf } from '../read-item.ts';
import type { PhoneItem } from '../types.ts';
import { factorTo } from '../../kit/values/units.ts';

/** A value of a workout by its name without case and underscores: phones write `TOTAL_CALORIES` and `totalCalories`. */
export type WorkoutValues = ReadonlyMap<string, { readonly name: string; readonly value: number; readonly unit: string }>;

const keyOf = (name: string) => name.toLowerCase().replaceAll('_', '');

/** A field of a workout, the values that it may be read from, the first of them that is there, and our unit. */
interface FieldRow {
  readonly names: readonly string[];
  readonly unit: string;
  readonly isWhole?: boolean;
}

const row = (unit: string, ...names: string[]): FieldRow => ({ names, unit });
const wholeRow = (unit: string, ...names: string[]): FieldRow => ({ names, unit, isWhole: true });

const rows: Readonly<Record<string, FieldRow>> = {
  distance: row('m', 'distance', 'totalDistance'),
  average_hr: wholeRow('count/min', 'averageHeartRate', 'meanHeartRate'),
  max_hr: wholeRow('count/min', 'maxHeartRate'),
  average_speed: row('m/s', 'averageSpeed', 'averageCyclingSpeed', 'averageRunningSpeed', 'meanSpeed'),
  max_speed: row('m/s', 'maxSpeed'),
  average_watts: row('W', 'averageCyclingPower', 'averageRunningPower'),
  total_elevation_gain: row('m', 'elevationAscended', 'altitudeGain'),
  elev_high: row('m', 'maxAltitude'),
  elev_low: row('m', 'minAltitude'),
  steps: wholeRow('count', 'stepCount'),
};

const [totalEnergy, activeEnergy, basalEnergy] = [
  row('kcal', 'calories', 'totalCalories'),
  row('kcal', 'activeEnergyBurned'),
  row('kcal', 'basalEnergyBurned'),
];
const durations: readonly string[] = ['duration', 'totalDuration'].map(keyOf);

const read = new Set([
  ...durations,
  ...[...Object.values(rows), totalEnergy, activeEnergy, basalEnergy].flatMap(({ names }) => names.map(keyOf)),
]);

export function valuesOf(item: PhoneItem): WorkoutValues {
  const list = Array.isArray(item['values']) ? item['values'] : [];
  const values = new Map<string, { name: string; value: number; unit: string }>();
  for (const entry of list) {
    const [name, value] = isItem(entry) ? [textOf(entry['type']), numberOf(entry['value'])] : [null, null];
    if (isItem(entry) && name !== null && value !== null) values.set(keyOf(name), { name, value, unit: textOf(entry['unit']) ?? '' });
  }
  return values;
}

function fieldOf(values: WorkoutValues, { names, unit, isWhole }: FieldRow, to: Collected): number | null {
  for (const name of names) {
    const found = values.get(keyOf(name));
    if (!found) continue;
    const factor = found.unit === '' ? 1 : factorTo(unit, found.unit);
    if (factor === null) to.leaveOut('unknown_unit', found.unit);
    else {
      const value = factor === 1 ? found.value : Math.round(found.value * factor * 1e6) / 1e6;
      return isWhole ? Math.round(value) : value;
    }
  }
  return null;
}

function durationOf(values: WorkoutValues, to: Collected): number | null {
  const found = durations.map((name) => values.get(name)).find((value) => value !== undefined);
  if (!found) return null;
  // Without a unit it comes from Samsung, which counts milliseconds.
  const factor = factorTo('s', found.unit === '' ? 'ms' : found.unit);
  if (factor === null) to.leaveOut('unknown_unit', found.unit);
  return factor === null ? null : Math.round(found.value * factor);
}

/** Android lists the pauses of a workout among its segments. */
const isPause = (segment: unknown): boolean => isItem(segment) && /(?:^|_)pause$/i.test(textOf(segment['type']) ?? '');

/**
 * The seconds of a workout without the pauses that it lists, which may overlap and count once. `duration` is what the phone states as its
 * length: with pauses at Health Connect, without them at HealthKit, which lists none.
 */
export function movingTimeOf(item: PhoneItem, duration: number | null): number | null {
  const span = spanOf(item);
  const segments: readonly unknown[] = Array.isArray(item['segments']) ? item['segments'] : [];
  const pauses = segments.filter(isPause).flatMap((segment) => spanOf(segment as PhoneItem) ?? []);
  if (!span || pauses.length === 0) return duration;
  const moving = Math.round((span.endMs - span.startMs - coveredMs(within(pauses, span))) / 1000);
  return duration === null ? moving : Math.min(duration, moving);
}

/** HealthKit separates movement and basal rate; their sum is what others call the energy of a workout. */
function caloriesOf(values: WorkoutValues, to: Collected): number | null {
  const total = fieldOf(values, totalEnergy, to);
  if (total !== null) return total;
  const active = fieldOf(values, activeEnergy, to);
  return active === null ? null : active + (fieldOf(values, basalEnergy, to) ?? 0);
}

/** The parts of a workout for which there is no field, wherever a phone sends them. */
const listsWithoutField: readonly string[] = ['laps', 'segments'];

/** The distances of an export, one for each kind: of several sports their sum, otherwise the longest, as a ride may have some steps. */
function distanceOf(item: PhoneItem, sport: string, to: Collected): number | null {
  const lengths = (Array.isArray(item['distances']) ? item['distances'] : []).filter(isItem).flatMap((entry) => {
    const [value, unit] = [numberOf(entry['value']), textOf(entry['unit']) ?? ''];
    const factor = unit === '' ? 1 : factorTo('m', unit);
    if (factor === null) to.leaveOut('unknown_unit', unit);
    return value === null || factor === null ? [] : [value * factor];
  });
  if (lengths.length === 0) return null;
  const metres = sport === 'multisport' ? lengths.reduce((sum, length) => sum + length, 0) : Math.max(...lengths);
  return Math.round(metres * 1e6) / 1e6;
}

/** Of several sports in one workout, phones send the distance of the first only. */
function withoutPartOfDistance(values: WorkoutValues, sport: string, to: Collected): WorkoutValues {
  if (sport !== 'multisport' || !values.has('distance')) return values;
  to.leaveOut('other_measure');
  return new Map([...values].filter(([key]) => key !== 'distance'));
}

/** The fields of a workout from its values. What has no field, or an unknown unit, is counted by name. */
export function workoutFields(item: PhoneItem, sport: string, to: Collected): Readonly<Record<string, unknown>> {
  const values = withoutPartOfDistance(valuesOf(item), sport, to);
  for (const [key, { name }] of values) if (!read.has(key)) to.leaveOut('no_field', name);
  for (const name of listsWithoutField)
    for (const entry of Array.isArray(item[name]) ? item[name] : []) if (!isPause(entry)) to.leaveOut('no_field', name);
  if (textOf(item['notes']) !== null) to.leaveOut('no_field', 'notes');
  const fields = Object.fromEntries(Object.entries(rows).map(([field, own]) => [field, fieldOf(values, own, to)]));
  return {
    moving_time: movingTimeOf(item, durationOf(values, to)),
    calories: caloriesOf(values, to),
    ...fields,
    distance: distanceOf(item, sport, to) ?? fields['distance'] ?? null,
  };
}
