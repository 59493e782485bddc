import { dayMs } from '@pulsewire/kernel';
import type { Quarantined, Sample, Summary } from '@pulsewire/contract';
import { isWithin } from '../../kit/records/left-out.ts';
import { rawOfParts } from '../../kit/records/raw-of.ts';
import { utcMidnight } from '../../kit/time/days.ts';
import type { JsonNode } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import type { RecordMaker } from '../../kit/records/record-maker.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { mergedSource } from '../google-fit.ts';
import { amountAt, localTime, readEachIn, readMillis, readTimes, type PointTimes } from '../read-point.ts';

/** The responses of the daily totals; absent for a type that the user does not have or did not share. */
export interface ActivityBodies {
  readonly steps?: unknown;
  readonly distance?: unknown;
  readonly expended?: unknown;
  readonly basal?: unknown;
  readonly heartRate?: unknown;
  readonly resting?: unknown;
}

interface Total extends PointTimes {
  /** In the order of the data type. */
  readonly values: readonly (number | null)[];
  readonly bucket: JsonNode;
}

/** The aggregated point of each bucket by the local day of its start. A day without data has no point. */
function readDays(body: unknown, context: RecordMaker, quarantined: Quarantined[]): ReadonlyMap<string, Total> {
  const days = readEachIn('activity', body ?? {}, 'bucket', quarantined, (bucket) => {
    const ms = readMillis(bucket.at('startTimeMillis'));
    const point = firstPoint(bucket);
    if (point === undefined) return undefined;
    const values = [0, 1, 2].map((index) => amountAt(point, index));
    return [localTime(ms, context).day, { ...readTimes(point), values, bucket }] as const;
  });
  return new Map(days);
}

/** The first point of the first data set that has one: the response has one data set, because one type was requested. */
export function firstPoint(bucket: JsonNode): JsonNode | undefined {
  return bucket.at('dataset').itemsOrNone()[0]?.at('point').itemsOrNone()[0];
}

const rounded = (value: number | null | undefined): number | null => (value == null ? null : roundTo(value, 2));

/** The basal rate is stated per day, and covers as much of the day as the total does: less than all of it until midnight. */
function basalEnergy(total: Total | undefined, basal: Total | undefined): number | null {
  const perDay = basal?.values[0] ?? null;
  return total === undefined || perDay === null ? null : (perDay * (total.endMs - total.startMs)) / dayMs;
}

/** Total energy includes that of the basal rate. */
function activeEnergy(total: Total | undefined, basal: Total | undefined): number | null {
  const [kcal, basalKcal] = [total?.values[0] ?? null, basalEnergy(total, basal)];
  return kcal === null || basalKcal === null ? null : roundTo(Math.max(0, kcal - basalKcal), 2);
}

/**
 * Daily totals as one activity summary for each day of the window on which any type but the basal rate has a value, and the basal energy of
 * each day whose total energy is known.
 */
export function mapActivity(bodies: ActivityBodies, window: PullWindow, context: RecordMaker): MappedRecords {
  const quarantined: Quarantined[] = [];
  const daysOf = (body: unknown) => readDays(body, context, quarantined);
  const [steps, distance, expended] = [daysOf(bodies.steps), daysOf(bodies.distance), daysOf(bodies.expended)];
  const [basal, heart, resting] = [daysOf(bodies.basal), daysOf(bodies.heartRate), daysOf(bodies.resting)];
  const days = new Set([steps, distance, expended, heart].flatMap((totals) => [...totals.keys()]));
  const wanted = [...days].filter((day) => isWithin(day, window)).toSorted();
  const basals = wanted.flatMap((day): Sample[] => {
    const [total, kcal] = [expended.get(day), basalEnergy(expended.get(day), basal.get(day))];
    if (total === undefined || kcal === null) return [];
    const zone = context.zoneOn(day);
    const { ms, offset } = zone.startOfDay(day);
    return [{ ts: ms, end: total.endMs, value: roundTo(kcal, 2), timezoneOffset: offset, offsetFrom: zone.originAt(ms) }];
  });
  const summaries = wanted.map((day): Summary => {
    const zone = context.zoneOn(day);
    const midnight = zone.startOfDay(day);
    const [average, maximum, minimum] = heart.get(day)?.values ?? [];
    const [restingAverage] = resting.get(day)?.values ?? [];
    const pulse = {
      avg_bpm: rounded(average),
      max_bpm: rounded(maximum),
      min_bpm: rounded(minimum),
      resting_bpm: rounded(restingAverage),
    };
    return context.summary({
      raw: rawOfParts({
        steps: steps.get(day)?.bucket,
        distance: distance.get(day)?.bucket,
        expended: expended.get(day)?.bucket,
        basal: basal.get(day)?.bucket,
        heartRate: heart.get(day)?.bucket,
        resting: resting.get(day)?.bucket,
      }),
      resource: 'activity',
      sourceType: mergedSource,
      externalId: day,
      calendarDate: day,
      at: utcMidnight(day),
      offsetFrom: zone.originAt(midnight.ms),
      data: {
        calories_total: rounded(expended.get(day)?.values[0]),
        calories_active: activeEnergy(expended.get(day), basal.get(day)),
        steps: steps.get(day)?.values[0] ?? null,
        distance: rounded(distance.get(day)?.values[0]),
        time_zone: zone.name,
        timezone_offset: midnight.offset,
        heart_rate: Object.values(pulse).every((value) => value === null) ? null : pulse,
      },
    });
  });
  return { records: [...summaries, ...context.samples('calories_basal', mergedSource, basals)], quarantined };
}
