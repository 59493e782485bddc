import type { StreamChannel, Summary, WorkoutStream } from '@pulsewire/contract';
import { withZones } from '../../kit/records/heart-rate-zones.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import type { PhoneUser, PhoneWorkoutPart } from '../types.ts';
import { partRows } from '../workout-parts.ts';

/** A reading at the time of a workout: of a series, or a part. */
export type WorkoutReading = Pick<PhoneWorkoutPart, 'kind' | 'startMs' | 'endMs' | 'value'>;

/** Series whose samples are parts of workouts too, under the names of `kind`. */
export const workoutSeries = ['heartrate', 'distance', 'calories_active', 'steps'] as const;

/** Channels that only parts fill: a phone that sends parts sends no more than a route with a workout. */
const partChannels: readonly StreamChannel[] = ['heartrate', 'power', 'velocity_smooth', 'cadence'];

const channelOf = (kind: string): StreamChannel | undefined => (kind === 'heartrate' ? 'heartrate' : partRows[kind]?.channel);

interface Window {
  readonly startMs: number;
  readonly endMs: number;
}

/** Less of a span than this lies in the workout by chance, such as a day's total. */
const shareMin = 0.5;

/** The sum of spans within a workout, in proportion to their time in it; time that several cover counts once. Null without any. */
function sumWithin(
  spans: readonly WorkoutReading[],
  { startMs, endMs }: Window,
): { readonly sum: number; readonly coveredMs: number } | null {
  let [cursorMs, sum, coveredMs, count] = [startMs, 0, 0, 0];
  for (const span of spans.toSorted((a, b) => a.startMs - b.startMs || b.endMs - a.endMs)) {
    const lengthMs = span.endMs - span.startMs;
    const insideMs = Math.min(span.endMs, endMs) - Math.max(span.startMs, startMs);
    if (insideMs < 0 || insideMs < lengthMs * shareMin) continue;
    count += 1;
    const ownMs = Math.max(0, Math.min(span.endMs, endMs) - Math.max(span.startMs, cursorMs));
    sum += lengthMs === 0 ? span.value : (span.value * ownMs) / lengthMs;
    coveredMs += ownMs;
    cursorMs = Math.max(cursorMs, Math.min(span.endMs, endMs));
  }
  return count === 0 ? null : { sum, coveredMs };
}

const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const highest = (values: readonly number[]) => values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);

/** A total counts for a workout only when it covers nearly all of it. */
const coverageMin = 0.9;

function figuresOf(readings: readonly WorkoutReading[], window: Window): Readonly<Record<string, number | null>> {
  const by = Map.groupBy(readings, ({ kind }) => kind);
  const of = (kind: string) => by.get(kind) ?? [];
  const points = (kind: string) => of(kind).map(({ value }) => value);
  const figure = (values: readonly number[], pick: (values: readonly number[]) => number, digits: number) =>
    values.length === 0 ? null : roundTo(pick(values), digits);
  const amount = (kind: string, digits: number) => {
    const found = sumWithin(of(kind), window);
    return found && roundTo(found.sum, digits);
  };
  const total = sumWithin(of('TOTAL_CALORIES_BURNED'), window);
  const isWhole = total !== null && total.coveredMs >= (window.endMs - window.startMs) * coverageMin;
  return {
    average_hr: figure(points('heartrate'), average, 0),
    max_hr: figure(points('heartrate'), highest, 0),
    average_speed: figure(points('SPEED'), average, 3),
    max_speed: figure(points('SPEED'), highest, 3),
    average_watts: figure(points('POWER'), average, 1),
    max_watts: figure(points('POWER'), highest, 1),
    distance: amount('distance', 2),
    steps: amount('steps', 0),
    total_elevation_gain: amount('ELEVATION_GAINED', 2),
    calories: isWhole ? roundTo(total.sum, 2) : amount('calories_active', 2),
  };
}

/** The stream with the points of parts by second; null without any point. */
function streamOf(own: WorkoutStream['data'] | null, readings: readonly WorkoutReading[]): WorkoutStream['data'] | null {
  const seconds = new Map<number, Partial<Record<StreamChannel, number | null>>>();
  const put = (second: number, channel: StreamChannel, value: number | null) =>
    void seconds.set(second, { ...seconds.get(second), [channel]: value });
  const { time = [], ...columns } = own ?? {};
  for (const [index, second] of time.entries())
    for (const [channel, values] of Object.entries(columns) as [StreamChannel, readonly (number | null)[]][])
      if (!partChannels.includes(channel)) put(second, channel, values[index] ?? null);
  for (const { kind, startMs, value } of readings) {
    const channel = channelOf(kind);
    if (channel) put(Math.floor(startMs / 1000), channel, channel === 'heartrate' ? Math.round(value) : value);
  }
  const all = [...seconds.keys()].sort((a, b) => a - b);
  const used = new Set([...seconds.values()].flatMap((values) => Object.keys(values) as StreamChannel[]));
  if (used.size === 0) return null;
  return { time: all, ...Object.fromEntries([...used].map((name) => [name, all.map((second) => seconds.get(second)?.[name] ?? null)])) };
}

/** A workout and its stream; null when it has none. */
export interface BoundWorkout {
  readonly workout: Summary;
  readonly stream: WorkoutStream['data'] | null;
}

/**
 * Gives a workout the figures and the stream that its parts make: readings of the same app while it lasts. What the phone states of the
 * workout itself has precedence. `own` is its route, or the stream that earlier parts have made.
 */
export function bindParts(
  user: Pick<PhoneUser, 'birthDate'>,
  workout: Summary,
  window: Window,
  readings: readonly WorkoutReading[],
  own: WorkoutStream['data'] | null,
): BoundWorkout {
  const isPoint = ({ kind }: WorkoutReading) => channelOf(kind) !== undefined;
  const inside = readings.filter((one) => !isPoint(one) || (one.startMs >= window.startMs && one.startMs <= window.endMs));
  const figures = Object.entries(figuresOf(inside, window)).filter(([field, value]) => value !== null && workout.data[field] == null);
  const stream = streamOf(own, inside);
  const bound: Summary = { ...workout, data: { ...workout.data, ...Object.fromEntries(figures) } };
  return { workout: stream ? withZones(user, bound, stream) : bound, stream };
}
