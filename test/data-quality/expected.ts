import type { LocalMinute } from './local-minutes.ts';
import { dateOf, dayNumber, type Beat, type RawDay } from './recording.ts';

const nextDay = (date: string): string => dateOf(dayNumber(date) + 1);
const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

export interface Recorded {
  readonly minutes: readonly LocalMinute[];
  day(date: string): RawDay;
  heart(date: string): readonly Beat[];
  /** Steps that were corrected later, by `date minute`. */
  readonly revised: ReadonlyMap<string, number>;
}

/** The recorded day of a minute: the second pass of a repeated hour shows that hour of the following day. */
const sourceOf = ({ date, isSecond }: LocalMinute): string => (isSecond ? nextDay(date) : date);

function stepsAt(recorded: Recorded, minute: LocalMinute): number {
  const revised = minute.isSecond ? undefined : recorded.revised.get(`${minute.date} ${minute.minute}`);
  return revised ?? recorded.day(sourceOf(minute)).steps[minute.minute] ?? 0;
}

/** Resting energy of the day before, with which movement is compared: kcal per minute. */
function restBefore(recorded: Recorded, date: string): number {
  const before = dateOf(dayNumber(date) - 1);
  const sum = recorded.minutes
    .filter((minute) => minute.date === before)
    .reduce((total, minute) => total + recorded.day(sourceOf(minute)).restPerMinute, 0);
  return Math.round(sum) / 1440;
}

type Series = ReadonlyMap<number, number>;

/** The values that must be stored for the minutes from `fromMs` on, by instant. */
export function expectedMinutes(
  recorded: Recorded,
  fromMs: number,
): { steps: Series; distance: Series; calories_active: Series; heartrate: Series } {
  const minutes = recorded.minutes.filter(({ ms }) => ms >= fromMs);
  const series = (value: (minute: LocalMinute) => number) => new Map(minutes.map((minute) => [minute.ms, value(minute)]));
  const rests = new Map([...new Set(minutes.map(({ date }) => date))].map((date) => [date, restBefore(recorded, date)]));
  const beats = new Map<string, Map<number, Beat[]>>();
  const beatsOf = (date: string): Map<number, Beat[]> => {
    const known = beats.get(date) ?? Map.groupBy(recorded.heart(date), ({ second }) => Math.floor(second / 60));
    beats.set(date, known);
    return known;
  };
  return {
    steps: series((minute) => stepsAt(recorded, minute)),
    distance: series((minute) => stepsAt(recorded, minute) * recorded.day(sourceOf(minute)).kmPerStep * 1000),
    calories_active: series((minute) => {
      const kcal = recorded.day(sourceOf(minute)).calories[minute.minute] ?? 0;
      return Math.max(0, round(kcal - (rests.get(minute.date) ?? 0), 3));
    }),
    heartrate: new Map(
      minutes.flatMap((minute) =>
        (beatsOf(sourceOf(minute)).get(minute.minute) ?? []).map(({ second, bpm }) => [minute.ms + (second % 60) * 1000, bpm]),
      ),
    ),
  };
}

/** Steps of each day, summed over all existing minutes. */
export function expectedTotals(recorded: Recorded): ReadonlyMap<number, number> {
  const totals = new Map<number, number>();
  for (const minute of recorded.minutes) {
    const day = dayNumber(minute.date);
    totals.set(day, (totals.get(day) ?? 0) + stepsAt(recorded, minute));
  }
  return totals;
}

const fairlyActive = 2;
const pauseMinutesMax = 2;
const workoutMinutesMin = 10;

/** Periods in which a recorded day is fairly active for ten minutes or more, with pauses of at most two: first and last minute. */
function activeStretches(intensity: readonly number[]): readonly (readonly [number, number])[] {
  const active = [...intensity.keys()].filter((minute) => (intensity[minute] ?? 0) >= fairlyActive);
  const starts = active.filter((minute, index) => index === 0 || minute - (active[index - 1] ?? 0) > pauseMinutesMax + 1);
  const ends = active.filter((minute, index) => (active[index + 1] ?? Number.POSITIVE_INFINITY) - minute > pauseMinutesMax + 1);
  const stretches = starts.map((start, index) => [start, ends[index] ?? start] as const);
  return stretches.filter(([start, end]) => end - start + 1 >= workoutMinutesMin);
}

/**
 * Steps of each workout by its start instant. A workout counts once the pause after it was read; later corrections of steps do not change
 * it.
 */
export function expectedWorkouts(recorded: Recorded, dates: readonly string[], syncedMs: number): Series {
  const ofDay = Map.groupBy(
    recorded.minutes.filter(({ isSecond }) => !isSecond),
    ({ date }) => date,
  );
  const workouts = dates.flatMap((date) => {
    const minutes = ofDay.get(date) ?? [];
    return activeStretches(recorded.day(date).intensity).flatMap(([start, end]): [number, number][] => {
      const during = minutes.filter(({ minute }) => minute >= start && minute <= end);
      const [first] = during;
      const last = during.at(-1);
      const isOver = last !== undefined && last.minute === end && last.ms + (pauseMinutesMax + 2) * 60_000 <= syncedMs;
      return first && isOver ? [[first.ms, during.reduce((sum, { minute }) => sum + (recorded.day(date).steps[minute] ?? 0), 0)]] : [];
    });
  });
  return new Map(workouts);
}
