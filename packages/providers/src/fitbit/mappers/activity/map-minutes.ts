import type { CompleteRange, Quarantined, Sample } from '@pulsewire/contract';
import { addDays, utcMidnight } from '../../../kit/time/days.ts';
import { JsonNode, readEach } from '../../../kit/values/json-node.ts';
import { readClocked } from '../../../kit/values/read-clocked.ts';
import { parseClock } from '../../../kit/time/time.ts';
import { allMeasured } from '../../context/all-of.ts';
import { isUnsynced, type MapContext } from '../../context/map-context.ts';

const minuteMs = 60_000;
const lastMinuteMs = 1439 * minuteMs;
/** Below this a minute may be a filling: above zero only where the basal rate was taken off. */
const quietBelow = 0.05;

/** What a minute's raw figure is in our unit; undefined leaves the minute out. */
export type ConvertMinute = (value: number) => number | undefined;

interface Minute {
  readonly clockMs: number;
  readonly endMs: number;
  readonly sample: Sample | undefined;
}

/**
 * Zeros are kept: a minute of 0 steps is a measurement, and without it "sat still" cannot be told from "not worn". But Fitbit fills the
 * minutes that the tracker has not handed over yet with zeros, or with the basal rate: nothing after the last sync is known. Where no
 * tracker is known, the quiet minutes at the end of a running day are held back; a day whose list ends before 23:59 is running.
 */
function dropFilling(minutes: readonly Minute[], syncedUntilMs: number | null): readonly Minute[] {
  if (syncedUntilMs !== null) return minutes.filter(({ endMs }) => endMs <= syncedUntilMs);
  const last = minutes.at(-1);
  if (last === undefined || last.clockMs >= lastMinuteMs) return minutes;
  return minutes.slice(0, minutes.findLastIndex(({ sample }) => (sample?.value ?? 0) >= quietBelow) + 1);
}

/**
 * The minutes of an intraday answer, `/1/user/-/activities/{series}/date/{d}/1d/1min.json`, as samples of one minute.
 * `undefined` when the answer has no minutes at all, which is how Fitbit answers an application that was not granted
 * them. What cannot be read is set aside under `resource`.
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
        // Fitbit fills the hour that clocks skip with zeros; a figure in it belongs to no minute that ever was.
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

/** The minutes of an answer are all of their day. A list without any says nothing: the provider fills it up. */
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
 * The day's total, `activities-{series}` of the same or of a range answer, as one sample from midnight to midnight.
 * It has the identity of the first minute, so it gives way when minutes come to be granted. A day of which no tracker has handed over
 * anything is left out: its zero, or with `fillsUp` its figure whatever it is, is not known.
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
