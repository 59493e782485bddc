import { dayMs } from '@pulsewire/kernel';
import { createRecordMaker } from '../../kit/records/record-maker.ts';
import { msToDay } from '../../kit/time/days.ts';
import { summaryId } from '../../kit/values/ids.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import { dayAt } from '../read-item.ts';
import type { NightOwner } from './sleep-nights.ts';
import type { BuiltRecord, PhoneDayTotal, PhoneReading, StoredDay } from '../types.ts';

/** A local day of a source, in days since 1 January 1970. */
export interface SourceDay {
  readonly sourceType: string;
  readonly day: number;
}

/** A day to build, from what is stored of it and what was read again. */
export interface DayToBuild extends SourceDay {
  /** Its summary as it is; null when there is none, or when nothing of it is to be kept. */
  readonly stored: StoredDay | null;
  /** IANA name of the zone of its last reading. */
  readonly zone: string | null;
}

/** What was read again of days that have a summary; of others everything was. */
export interface ReadAgain {
  readonly series: ReadonlySet<string>;
  /** Resting and walking heart rates. */
  readonly hasReadings: boolean;
}

type Totals = ReadonlyMap<string, PhoneDayTotal>;

const rounded = (value: number | null | undefined): number | null => (value == null ? null : roundTo(value, 2));
const whole = (value: number | null | undefined): number | null => (value == null ? null : Math.round(value));

/** The fields that are made of the same series, which are therefore read again together. */
const parts: readonly { readonly series: readonly string[]; fields(totals: Totals): Readonly<Record<string, unknown>> }[] = [
  { series: ['steps'], fields: (totals) => ({ steps: whole(totals.get('steps')?.sum) }) },
  { series: ['distance'], fields: (totals) => ({ distance: rounded(totals.get('distance')?.sum) }) },
  {
    series: ['calories_active', 'calories_basal'],
    fields: (totals) => {
      const [active, basal] = [totals.get('calories_active')?.sum, totals.get('calories_basal')?.sum];
      return { calories_active: rounded(active), calories_total: active == null || basal == null ? null : roundTo(active + basal, 2) };
    },
  },
  { series: ['floors_climbed'], fields: (totals) => ({ floors_climbed: whole(totals.get('floors_climbed')?.sum) }) },
  {
    series: ['wheelchair_push'],
    fields: (totals) => {
      // A phone counts pushes only of a person who said that they use a wheelchair.
      const pushes = whole(totals.get('wheelchair_push')?.sum) || null;
      return { wheelchair_use: pushes === null ? null : true, wheelchair_push: pushes };
    },
  },
];

/** The series of which no sum is of interest. */
export const activityRates: readonly string[] = ['heartrate'];

/** Series of which days are made. */
export const activitySeries: readonly string[] = [...parts.flatMap(({ series }) => series), ...activityRates];

/** These series, and those that have to be read with them. */
export function withPartners(series: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...series, ...parts.flatMap((part) => (part.series.some((name) => series.has(name)) ? part.series : []))]);
}

function movementOf(totals: Totals, isRead: (series: string) => boolean, stored: StoredDay | null): Readonly<Record<string, unknown>> {
  const fields = parts.flatMap(({ series, fields: read }) =>
    Object.entries(read(totals)).map(([name, value]) => [name, series.every(isRead) ? value : (stored?.data[name] ?? null)] as const),
  );
  return Object.fromEntries(fields);
}

interface Rates {
  readonly avg_bpm: number | null;
  readonly min_bpm: number | null;
  readonly max_bpm: number | null;
  readonly resting_bpm: number | null;
  readonly avg_walking_bpm: number | null;
}

/** Stands for the readings among the series that were read. */
const readingsName = 'readings';

function heartRateOf(
  totals: Totals,
  readings: readonly PhoneReading[],
  isRead: (series: string) => boolean,
  former: Rates | null,
): Readonly<Record<string, number | null>> {
  const total = totals.get('heartrate');
  const kept = isRead('heartrate') ? null : former;
  // The latest of each kind: phones correct the resting rate of a day while it lasts.
  const latest = new Map(readings.toSorted((a, b) => a.atMs - b.atMs).map(({ kind, value }) => [kind, value]));
  return {
    avg_bpm: kept?.avg_bpm ?? rounded(total?.average),
    min_bpm: kept?.min_bpm ?? rounded(total?.min),
    max_bpm: kept?.max_bpm ?? rounded(total?.max),
    resting_bpm: isRead(readingsName) ? rounded(latest.get('resting')) : (former?.resting_bpm ?? null),
    avg_walking_bpm: isRead(readingsName) ? rounded(latest.get('walking')) : (former?.avg_walking_bpm ?? null),
  };
}

const isEmpty = (fields: Readonly<Record<string, unknown>>) => Object.values(fields).every((value) => value === null);

const keyOf = (sourceType: string, date: string) => `${date} ${sourceType}`;
const dateOf = (day: number) => msToDay(day * dayMs);

export function activityId({ userId, provider }: NightOwner, { sourceType, day }: SourceDay): string {
  return summaryId({ userId, provider, sourceType, resource: 'activity', externalId: dateOf(day) });
}

/**
 * The activity summary of each of these days, or its removal where nothing is left of it. `totals` and `readings` are those in `read` of all
 * days, and all of days without a stored summary.
 */
export function activityRecords(
  { userId, provider }: NightOwner,
  days: readonly DayToBuild[],
  read: ReadAgain,
  totals: readonly PhoneDayTotal[],
  readings: readonly PhoneReading[],
): BuiltRecord[] {
  const maker = createRecordMaker(provider, { userId, fallbackTimeZone: null, providerUserId: '', grantedScopes: [], account: {} });
  const totalsOf = Map.groupBy(totals, ({ sourceType, day }) => keyOf(sourceType, dateOf(day)));
  const readingsOf = Map.groupBy(readings, ({ sourceType, atMs, offset }) => keyOf(sourceType, dayAt(atMs, offset)));
  return days.map(({ sourceType, day, stored, zone }) => {
    const date = dateOf(day);
    const own = totalsOf.get(keyOf(sourceType, date)) ?? [];
    const by = new Map(own.map((total) => [total.resource, total]));
    const isRead = (series: string) => stored === null || (series === readingsName ? read.hasReadings : read.series.has(series));
    const former = (stored?.data['heart_rate'] ?? null) as Rates | null;
    const movement = movementOf(by, isRead, stored);
    const heartRate = heartRateOf(by, readingsOf.get(keyOf(sourceType, date)) ?? [], isRead, former);
    const ids = { resource: 'activity', sourceType, externalId: date };
    // A strap or a cuff that only counted a pulse for a while has no day.
    if (isEmpty(movement) && heartRate['resting_bpm'] === null) return maker.removal(ids);
    const offsets = [...own, { offset: (stored?.data['timezone_offset'] ?? null) as number | null, offsetFrom: stored?.offsetFrom }];
    const west = offsets.filter(({ offset }) => offset !== null).toSorted((a, b) => (a.offset ?? 0) - (b.offset ?? 0))[0];
    return maker.summary({
      ...ids,
      calendarDate: date,
      at: day * dayMs,
      offsetFrom: west?.offsetFrom,
      data: {
        ...movement,
        time_zone: zone,
        timezone_offset: west?.offset ?? null,
        heart_rate: isEmpty(heartRate) ? null : heartRate,
      },
    });
  });
}
