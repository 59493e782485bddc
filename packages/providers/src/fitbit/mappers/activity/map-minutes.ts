import type { CompleteRange, Quarantined, Sample } from '@pulsewire/contract';
import { addDays, utcMidnight } from '../../../kit/time/days.ts';
import { JsonNode, readEach } from '../../../kit/values/json-node.ts';
import { readClocked } from '../../../kit/values/read-clocked.ts';
import { parseClock } from '../../../kit/time/time.ts';
import { allMeasured } from '../../context/all-of.ts';
import { isUnsynced, type MapContext } from '../../context/map-context.ts';

const minuteMs = 60_000;
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
