import type { CompleteRange } from '@pulsewire/contract';
import { samplesInside, settledUntil } from '../kit/records/complete-ranges.ts';
import { addDays, dayToMs, msToDay } from '../kit/time/days.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import type { PullWindow } from '../kit/types/connector.ts';
import { listIn, watch, type PolarContext } from './polar.ts';

/** Polar lists the nights and exercises of four weeks; the oldest of these days may be incomplete. */
const listedDays = 25;

/** The days of a window that lie wholly within what Polar lists; null when there are none, or the time is not known. */
export function listedDaysOf(window: PullWindow, now: Date | undefined): PullWindow | null {
  if (now === undefined) return null;
  const oldest = addDays(msToDay(now.getTime()), -listedDays);
  const startDate = window.startDate < oldest ? oldest : window.startDate;
  return startDate <= window.endDate ? { ...window, startDate } : null;
}

/** A day that the response contains with readings; it does not cover other days. */
function ofDay(resource: string, day: unknown, readings: JsonNode, { clock }: PolarContext, now: Date | undefined): CompleteRange[] {
  const isDay = typeof day === 'string' && dayToMs(day.slice(0, 10)) !== undefined;
  if (!isDay || !Array.isArray(readings.value) || readings.value.length === 0) return [];
  const date = day.slice(0, 10);
  const [fromMs, toMs] = [clock.startOfDay(date).ms, Math.min(clock.startOfDay(addDays(date, 1)).ms, settledUntil(now))];
  return fromMs < toMs ? [{ kind: 'samples', resource, sourceTypes: [watch], fromMs, toMs }] : [];
}

/** The steps of each day in a response of `activities`. */
export function allOfStepDays(body: unknown, context: PolarContext, now: Date | undefined): CompleteRange[] {
  const list = listIn(body);
  if (!Array.isArray(list.value)) return [];
  return list
    .items()
    .flatMap((item) => ofDay('steps', item.at('start_time').value, item.at('samples').at('steps').at('samples'), context, now));
}

/**
 * The nights' deviations from the baseline. Their temperatures are not covered, because daytime measurements are in the same
 * series.
 */
export function allOfDeltas(body: unknown, _context: PolarContext, now: Date | undefined, window: PullWindow): CompleteRange[] {
  const days = body === undefined ? null : listedDaysOf(window, now);
  return days === null ? [] : samplesInside(days, now, watch, ['body_temperature_delta']);
}

/** The heart rate of the day of a response. */
export function allOfHeartDay(body: unknown, context: PolarContext, now: Date | undefined): CompleteRange[] {
  const root = listIn(body);
  return ofDay('heartrate', root.at('date').value, root.at('heart_rate_samples'), context, now);
}
