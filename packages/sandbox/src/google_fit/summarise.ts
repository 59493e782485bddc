import type { DataType } from './data-types.ts';
import { fp, int, map, none, type Point, type Value } from './values.ts';

const summaryNames: Readonly<Record<string, string>> = {
  'com.google.heart_rate.bpm': 'com.google.heart_rate.summary',
  'com.google.activity.segment': 'com.google.activity.summary',
  'com.google.nutrition': 'com.google.nutrition.summary',
};

/** The type of aggregated points: sums keep their type, others get one of their own. */
export function aggregatedName({ name, combination }: DataType): string {
  return summaryNames[name] ?? (combination === 'summary' ? `${name}.summary` : name);
}

function spanned(points: readonly Point[], value: readonly Value[]): Point[] {
  const [first] = points;
  if (!first) return [];
  const endMs = points.reduce((latest, point) => Math.max(latest, point.endMs), first.endMs);
  return [{ ...first, endMs, value }];
}

const numbersAt = (points: readonly Point[], index: number) =>
  points.flatMap(({ value }) => {
    const { fpVal, intVal } = value[index] ?? none;
    return fpVal ?? intVal ?? [];
  });

/** Average, highest and lowest. */
function spread(points: readonly Point[], index: number): readonly Value[] {
  const numbers = numbersAt(points, index);
  return [fp(numbers.reduce((all, value) => all + value, 0) / numbers.length), fp(Math.max(...numbers)), fp(Math.min(...numbers))];
}

function summary({ name }: DataType, points: readonly Point[]): readonly Value[] {
  // Pressures have two spreads; what follows them is that of the last point.
  const spreads = name === 'com.google.blood_pressure' ? [0, 1] : [0];
  const others = points.at(-1)?.value.slice(spreads.length) ?? [];
  return [...spreads.flatMap((index) => spread(points, index)), ...others];
}

function sum({ name }: DataType, points: readonly Point[]): Point[] {
  if (name === 'com.google.nutrition') {
    const byMeal = Map.groupBy(points, ({ value }) => value[1]?.intVal ?? 1);
    return [...byMeal].flatMap(([meal, foods]) => spanned(foods, [addMaps(foods), int(meal)]));
  }
  const total = numbersAt(points, 0).reduce((all, value) => all + value, 0);
  const isWhole = points[0]?.value[0]?.intVal !== undefined;
  const minutes = name === 'com.google.heart_minutes' ? [int(total / 1.5)] : [];
  return spanned(points, [isWhole ? int(total) : fp(total), ...minutes]);
}

function addMaps(points: readonly Point[]): Value {
  const total: Record<string, number> = {};
  for (const { value } of points) for (const { key, value: part } of value[0]?.mapVal ?? []) total[key] = (total[key] ?? 0) + part.fpVal;
  return map(total);
}

/** One point for each activity: its code, how long it took in ms, and in how many stretches. */
function segments(points: readonly Point[]): Point[] {
  const byCode = Map.groupBy(points, ({ value }) => value[0]?.intVal ?? 4);
  return [...byCode].flatMap(([code, stretches]) => {
    const lengthMs = stretches.reduce((all, { startMs, endMs }) => all + endMs - startMs, 0);
    return spanned(stretches, [int(code), int(lengthMs), int(stretches.length)]);
  });
}

/** The points of one bucket, combined as their type is. */
export function combined(type: DataType, points: readonly Point[]): readonly Point[] {
  if (points.length === 0 || type.combination === 'raw') return points;
  if (type.combination === 'segments') return segments(points);
  return type.combination === 'sum' ? sum(type, points) : spanned(points, summary(type, points));
}
