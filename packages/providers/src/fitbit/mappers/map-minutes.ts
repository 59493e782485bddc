import { minuteMs } from '@pulsewire/kernel';
import type { CompleteRange, Quarantined, Sample } from '@pulsewire/contract';
import { addDays, utcMidnight } from '../../kit/time/days.ts';
import { parseClock } from '../../kit/time/time.ts';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import { roundTo } from '../../kit/values/numbers.ts';
import { readClocked } from '../../kit/values/read-clocked.ts';
import { allMeasured } from '../context/all-of.ts';
import { groupOf, isUnsynced, type MapContext, type Mapped } from '../context/map-context.ts';

const lastMinuteMs = 1439 * minuteMs;
/** A minute below this value may be a placeholder; values above zero occur only after the basal rate was subtracted. */
const quietBelow = 0.05;

/** Converts the raw value of a minute to our unit; undefined omits the minute. */
export type ConvertMinute = (value: number) => number | undefined;

interface Minute {
  readonly clockMs: number;
  readonly endMs: number;
  readonly sample: Sample | undefined;
}

/**
 * Zeros are kept: a minute of 0 steps is a measurement, and without it "sat still" cannot be distinguished from "not worn". But Fitbit
 * fills minutes that the tracker has not uploaded yet with zeros, or with the basal rate: nothing after the last sync is known. When no
 * tracker is known, the inactive minutes at the end of the current day are held back; a day is current if its list ends before 23:59.
 */
function dropFilling(minutes: readonly Minute[], syncedUntilMs: number | null): readonly Minute[] {
  if (syncedUntilMs !== null) return minutes.filter(({ endMs }) => endMs <= syncedUntilMs);
  const last = minutes.at(-1);
  if (last === undefined || last.clockMs >= lastMinuteMs) return minutes;
  return minutes.slice(0, minutes.findLastIndex(({ sample }) => (sample?.value ?? 0) >= quietBelow) + 1);
}

/**
 * The minutes of an intraday response, `/1/user/-/activities/{series}/date/{d}/1d/1min.json`, as samples of one minute. `undefined` when
 * the response has no minutes at all, which is Fitbit's response to an application without access to them. Unreadable items are
 * quarantined under `resource`.
 */
export function readMinutes(
  body: unknown,
  options: { readonly resource: string; readonly series: string; readonly day: string; readonly convert: ConvertMinute },
  context: MapContext,
  quarantined: Quarantined[],
): readonly Sample[] | undefined {
  const { resource, series, day, convert } = options;
  const dataset = new JsonNode(body).at(`activities-${series}-intraday`).at('dataset');
  if (dataset.isMissing) return undefined;
  const zone = context.zoneOn(day);
  const midnight = utcMidnight(day);
  const minutes = readClocked(
    {
      resource,
      list: dataset,
      zone,
      startMs: zone.startOfDay(day).ms,
      wallOf: (item) => midnight + item.at('time').time(parseClock),
      read(item, at, wallMs): Minute | undefined {
        const raw = item.at('value').amount();
        // Fitbit fills the hour that clocks skip with zeros; any other value in it cannot be assigned to a minute.
        if (at.kind === 'gap' && raw > 0) throw item.at('time').fail('bad_time');
        if (at.kind === 'gap') return undefined;
        const value = convert(raw);
        const endMs = at.ms + minuteMs;
        const sample = value === undefined ? undefined : { ts: at.ms, end: endMs, value, timezoneOffset: at.offset };
        return { clockMs: wallMs - midnight, endMs, sample };
      },
    },
    quarantined,
  );
  return dropFilling(minutes, context.syncedUntilMs).flatMap((minute) => (minute.sample === undefined ? [] : [minute.sample]));
}

/** The minutes of a response are complete for their day. A list without any proves nothing: Fitbit normally fills the list. */
export function allMinutes(
  resource: string,
  day: string,
  minutes: readonly Sample[] | undefined,
  context: MapContext,
): readonly CompleteRange[] {
  const last = minutes?.at(-1)?.end;
  return last === undefined ? [] : allMeasured(resource, { startDate: day, endDate: day }, context, last);
}

/**
 * The day's total, `activities-{series}` of the same or of a range response, as one sample from midnight to midnight. It has the identity
 * of the first minute, so it is replaced when minutes are granted later. A day that no tracker has uploaded yet is omitted if its total is
 * zero, or with `fillsUp` whatever the total is: it is unknown.
 */
export function readDayTotals(
  body: unknown,
  options: { readonly resource: string; readonly series: string; readonly convert: ConvertMinute; readonly fillsUp?: boolean },
  context: MapContext,
  quarantined: Quarantined[],
): readonly Sample[] {
  const list = new JsonNode(body).at(`activities-${options.series}`);
  return readEach(options.resource, list, quarantined, (item): Sample | undefined => {
    const day = item.at('dateTime').day();
    const zone = context.zoneOn(day);
    const start = zone.startOfDay(day);
    const raw = item.at('value').amount();
    if ((raw === 0 || options.fillsUp === true) && isUnsynced(context, day)) return undefined;
    const value = options.convert(raw);
    const end = zone.startOfDay(addDays(day, 1)).ms;
    return value === undefined ? undefined : { ts: start.ms, end, value, timezoneOffset: start.offset };
  });
}

/** A series of movement: our name, Fitbit's name, and the conversion from Fitbit's unit to ours. */
export interface MovementSeries {
  readonly resource: string;
  readonly series: string;
  readonly convert: ConvertMinute;
}

/** Kilometres to metres, rounded to a centimetre. */
export function kilometresToMetres(km: number): number {
  return roundTo(km * 1000, 2);
}

export const stepsSeries: MovementSeries = { resource: 'steps', series: 'steps', convert: (count) => count };
export const distanceSeries: MovementSeries = { resource: 'distance', series: 'distance', convert: kilometresToMetres };
export const floorsSeries: MovementSeries = { resource: 'floors_climbed', series: 'floors', convert: (count) => count };

/** Maps an intraday response of steps, distance or floors to samples per minute, or to the day's total when it has no minutes. */
export function mapMovementDay(body: unknown, movement: MovementSeries, day: string, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const minutes = readMinutes(body, { ...movement, day }, context, quarantined);
  const samples = minutes ?? readDayTotals(body, movement, context, quarantined);
  const allOf = allMinutes(movement.resource, day, minutes, context);
  return { records: groupOf(movement.resource, 'watch', samples), quarantined, allOf };
}

/** Maps a range response of steps, distance or floors to one sample per day: for applications without access to minutes. */
export function mapMovementTotals(body: unknown, movement: MovementSeries, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  return { records: groupOf(movement.resource, 'watch', readDayTotals(body, movement, context, quarantined)), quarantined };
}

const minutesPerDay = 1440;

/** Basal energy by day from `/1/user/-/activities/caloriesBMR/date/{start}/{end}.json`, kcal. */
export function readBasalByDay(body: unknown, quarantined: Quarantined[]): ReadonlyMap<string, number> {
  const list = new JsonNode(body).at('activities-caloriesBMR');
  return new Map(readEach('calories_active', list, quarantined, (item) => [item.at('dateTime').day(), item.at('value').amount()] as const));
}

/**
 * Minutes of `/1/user/-/activities/calories/date/{d}/1d/1min.json` as energy from movement. Fitbit's value includes the basal rate, which
 * is subtracted evenly over the day. `basalOfDay` must be of a completed day: the value of the current day grows, so each minute would
 * change with every sync. Undefined when the response has no minutes.
 */
export function mapCaloriesActive(body: unknown, basalOfDay: number, day: string, context: MapContext): Mapped | undefined {
  const quarantined: Quarantined[] = [];
  const basalOfMinute = basalOfDay / minutesPerDay;
  const convert = (kcal: number): number => Math.max(0, roundTo(kcal - basalOfMinute, 3));
  const options = { resource: 'calories_active', series: 'calories', day, convert };
  const samples = readMinutes(body, options, context, quarantined);
  if (samples === undefined) return undefined;
  const allOf = allMinutes('calories_active', day, samples, context);
  return { records: groupOf('calories_active', 'watch', samples), quarantined, allOf };
}

/** Maps the range of `caloriesBMR` to one sample per day, from midnight to midnight. */
export function mapCaloriesBasal(body: unknown, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const options = { resource: 'calories_basal', series: 'caloriesBMR', convert: (kcal: number) => kcal, fillsUp: true };
  return { records: groupOf('calories_basal', 'watch', readDayTotals(body, options, context, quarantined)), quarantined };
}

/** Maps the range of `activityCalories` to one sample per day: for applications without access to minutes. */
export function mapCaloriesActiveTotals(body: unknown, context: MapContext): Mapped {
  const quarantined: Quarantined[] = [];
  const options = { resource: 'calories_active', series: 'activityCalories', convert: (kcal: number) => kcal };
  return { records: groupOf('calories_active', 'watch', readDayTotals(body, options, context, quarantined)), quarantined };
}
