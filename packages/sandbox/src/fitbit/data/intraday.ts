import type { Account, AccountDay } from '../accounts/types.ts';
import { fillingOf, minuteValue, type MinuteSeries } from './minutes.ts';
import type { HeartTrack } from '../../recording/types.ts';
import { round, toDistance, toElevation, type Units } from './units.ts';

export interface IntradayPoint {
  /** `HH:mm:ss`, local. */
  readonly time: string;
  readonly value: number;
}

export interface Intraday {
  readonly dataset: readonly IntradayPoint[];
  readonly datasetInterval: number;
  readonly datasetType: 'minute' | 'second';
}

export const intradaySeries: readonly MinuteSeries[] = ['steps', 'distance', 'floors', 'elevation', 'calories', 'heart'];

const dayMinutes = 1440;
/** The second pass of a repeated hour has the same clock times again. */
const clockTime = (secondOfDay: number): string => {
  const second = secondOfDay % (dayMinutes * 60);
  return (clockTimes[second] ??= new Date(second * 1000).toISOString().slice(11, 19));
};
/** One entry per second of a day, kept because each day of data needs thousands of them. */
const clockTimes: Record<number, string> = {};

/**
 * A day in buckets of 1, 5 or 15 minutes. Counts are summed, the heart rate is a mean; heart buckets without readings are left
 * out. The last bucket may be incomplete, and gets another value when more minutes arrive. Past minutes that the tracker has not
 * synced are filled in, as the provider does.
 */
export function intradayOf(account: Account, date: string, series: MinuteSeries, bucketMinutes: number, units: Units): Intraday {
  const buckets = new Map<number, { sum: number; count: number }>();
  const day = account.day(date);
  const synced = day?.minutes.length ?? 0;
  const filling = fillingOf(account.recordedDay(date), series);
  for (const [place, minute] of account.passedMinutes(date).entries()) {
    const value = place < synced ? minuteValue(day as AccountDay, series, minute) : filling;
    if (value === undefined) continue;
    const start = minute - (minute % bucketMinutes);
    const bucket = buckets.get(start) ?? { sum: 0, count: 0 };
    buckets.set(start, { sum: bucket.sum + value, count: bucket.count + 1 });
  }
  const dataset = [...buckets].map(([minute, { sum, count }]) => ({
    time: clockTime(minute * 60),
    value: inUnits(series, series === 'heart' ? Math.round(sum / count) : sum, units),
  }));
  return { dataset, datasetInterval: bucketMinutes, datasetType: 'minute' };
}

/** Every heart reading of a day. */
export function heartBySecond(day: AccountDay | undefined): Intraday {
  const readings = { first: readingsByMinute(day?.heart), again: readingsByMinute(day?.again?.heart) };
  const dataset = (day?.minutes ?? []).flatMap((minute) =>
    (minute < dayMinutes ? readings.first.get(minute) : readings.again.get(minute - dayMinutes)) ?? [],
  );
  return { dataset, datasetInterval: 1, datasetType: 'second' };
}

function readingsByMinute(heart: HeartTrack | undefined): ReadonlyMap<number, IntradayPoint[]> {
  const byMinute = new Map<number, IntradayPoint[]>();
  heart?.secondOfDay.forEach((second, place) => {
    const minute = Math.floor(second / 60);
    const point = { time: clockTime(second), value: heart.bpm[place] ?? 0 };
    const known = byMinute.get(minute);
    if (known) known.push(point);
    else byMinute.set(minute, [point]);
  });
  return byMinute;
}

function inUnits(series: MinuteSeries, value: number, units: Units): number {
  if (series === 'distance') return round(toDistance(value, units), 5);
  if (series === 'elevation') return round(toElevation(value, units), 3);
  return round(value, 4);
}
