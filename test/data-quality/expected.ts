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

/** The recorded day behind a minute: the second pass of a repeated hour shows that hour of the day after. */
const sourceOf = ({ date, isSecond }: LocalMinute): string => (isSecond ? nextDay(date) : date);

function stepsAt(recorded: Recorded, minute: LocalMinute): number {
  const revised = minute.isSecond ? undefined : recorded.revised.get(`${minute.date} ${minute.minute}`);
  return revised ?? recorded.day(sourceOf(minute)).steps[minute.minute] ?? 0;
}

/** Rest of the day before, which is what movement is held against: kcal a minute. */
function restBefore(recorded: Recorded, date: string): number {
  const before = dateOf(dayNumber(date) - 1);
  const sum = recorded.minutes
    .filter((minute) => minute.date === before)
    .reduce((total, minute) => total + recorded.day(sourceOf(minute)).restPerMinute, 0);
  return Math.round(sum) / 1440;
}

type Series = ReadonlyMap<number, number>;

/** What must be stored of minutes from `fromMs` on: values by instant. */
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

/** Steps of each day, of all the minutes that there are. */
export function expectedTotals(recorded: Recorded): ReadonlyMap<number, number> {
  const totals = new Map<number, number>();
  for (const minute of recorded.minutes) {
    const day = dayNumber(minute.date);
    totals.set(day, (totals.get(day) ?? 0) + stepsAt(recorded, minute));
  }
  return totals;
}
