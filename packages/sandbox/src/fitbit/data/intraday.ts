import type { AccountDay } from '../accounts/types.ts';
import { minuteValue, type MinuteSeries } from './minutes.ts';
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

const clockTime = (secondOfDay: number) => new Date(secondOfDay * 1000).toISOString().slice(11, 19);

/**
 * A day in buckets of 1, 5 or 15 minutes. Counts are summed, the heart rate is a mean; heart buckets without readings are left out.
 * The last bucket may be incomplete, and gets another value when more minutes arrive.
 */
export function intradayOf(day: AccountDay | undefined, series: MinuteSeries, bucketMinutes: number, units: Units): Intraday {
  const buckets = new Map<number, { sum: number; count: number }>();
  for (const minute of day?.minutes ?? []) {
    const value = minuteValue(day as AccountDay, series, minute);
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
  const visible = new Set(day?.minutes);
  const dataset: IntradayPoint[] = [];
  day?.heart?.secondOfDay.forEach((second, place) => {
    if (visible.has(Math.floor(second / 60))) dataset.push({ time: clockTime(second), value: day.heart?.bpm[place] ?? 0 });
  });
  return { dataset, datasetInterval: 1, datasetType: 'second' };
}

function inUnits(series: MinuteSeries, value: number, units: Units): number {
  if (series === 'distance') return round(toDistance(value, units), 5);
  if (series === 'elevation') return round(toElevation(value, units), 3);
  return round(value, 4);
}
