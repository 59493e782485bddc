import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const folder = new URL('../../packages/sandbox/data/fitbit/', import.meta.url);
const dayMs = 86_400_000;

/** A recorded day; values that the simulator derives from it are computed here independently. */
export interface RawDay {
  readonly steps: readonly number[];
  /** 0 to 3, of each minute. */
  readonly intensity: readonly number[];
  /** kcal of each minute: the energy of an hour above rest is distributed over its active minutes. */
  readonly calories: readonly number[];
  readonly restPerMinute: number;
  readonly kmPerStep: number;
  readonly sleep?: { readonly records: number; readonly minutes_asleep: number; readonly minutes_in_bed: number };
}

interface Line {
  readonly user: string;
  readonly date: string;
  readonly steps?: readonly number[];
  readonly intensity: readonly number[];
  readonly hourly_calories?: readonly number[];
  readonly daily?: { readonly steps: number; readonly distance_km: number; readonly calories: number };
  readonly sleep?: RawDay['sleep'];
}

function linesOf<T>(file: string): T[] {
  const text = gunzipSync(readFileSync(new URL(file, folder))).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}

export const dayNumber = (date: string): number => Date.parse(date) / dayMs;
export const dateOf = (number: number): string => new Date(number * dayMs).toISOString().slice(0, 10);

function toRawDay({ steps = [], intensity, hourly_calories: reported, daily, sleep }: Line): RawDay {
  // Values that the data set lacks follow the documented inventions of the simulator.
  const hourly = reported ?? Array.from({ length: 24 }, () => (daily?.calories ?? 2000) / 24);
  const rest = Math.min(...hourly) / 60;
  const calories = steps.map((_, minute) => {
    const hour = Math.floor(minute / 60);
    const levels = intensity.slice(hour * 60, hour * 60 + 60);
    const total = levels.reduce((sum, level) => sum + level, 0);
    const above = (hourly[hour] ?? 0) - rest * 60;
    return Math.fround(rest + (total > 0 ? (above * (intensity[minute] ?? 0)) / total : above / 60));
  });
  return {
    steps,
    intensity,
    calories,
    restPerMinute: rest,
    kmPerStep: daily && daily.steps > 0 ? daily.distance_km / daily.steps : 0.0007,
    ...(sleep && { sleep }),
  };
}

/** The days of one volunteer, repeated forever and shifted by whole weeks: which recorded day a date shows. */
export function recordedDays(user: string): (date: string) => RawDay {
  const lines = linesOf<Line>('minutes.jsonl.gz').filter((line) => line.user === user && line.steps !== undefined);
  const days = new Map(lines.map((line) => [line.date, toRawDay(line)]));
  const length = lines.length - (lines.length % 7);
  const first = dayNumber(lines[0]?.date ?? '');
  return (date) => {
    const place = (((dayNumber(date) - first) % length) + length) % length;
    const day = days.get(dateOf(first + place));
    if (!day) throw new RangeError(`Nothing was recorded for ${date}`);
    return day;
  };
}

export interface Beat {
  readonly second: number;
  readonly bpm: number;
}

/** The heart readings of a date: a cycle of three days, composed of the two and a half that were recorded. */
export function recordedHeart(): (date: string) => readonly Beat[] {
  const all = linesOf<{ readonly time: string; readonly bpm: number }>('heartrate.jsonl.gz').map(({ time, bpm }) => {
    const [hour = 0, minute = 0, second = 0] = time.slice(11).split(':').map(Number);
    return { date: time.slice(0, 10), second: (hour * 60 + minute) * 60 + second, bpm };
  });
  const [first, middle, last] = [...new Set(all.map(({ date }) => date))].toSorted();
  const of = (date: string | undefined) => all.filter((beat) => beat.date === date);
  const end = Math.max(...of(last).map(({ second }) => second));
  const start = Math.min(...of(first).map(({ second }) => second));
  const tracks = [
    of(middle),
    [...of(last), ...of(first).filter(({ second }) => second > end)],
    [...of(last).filter(({ second }) => second < start), ...of(first)],
  ];
  return (date) => tracks[dayNumber(date) % tracks.length] ?? [];
}
