import type { CompleteRange } from '@pulsewire/contract';
import { addDays } from '../../kit/time/days.ts';
import type { PullWindow } from '../../kit/types/connector.ts';
import type { MapContext } from './map-context.ts';

/** Length in ms of a range that contains only a sample at midnight, which stands for a whole day or night. */
const atMidnight = 1;

/** The first instant that belongs only to this local day: after a zone change, days may overlap. */
function startOf(day: string, { zoneOn }: MapContext): number {
  return Math.max(zoneOn(day).startOfDay(day).ms, zoneOn(addDays(day, -1)).startOfDay(day).ms);
}

/** The first instant after a local day, or the start of the next day where the two overlap. */
function endOf(day: string, { zoneOn }: MapContext): number {
  const next = addDays(day, 1);
  return Math.min(zoneOn(day).startOfDay(next).ms, zoneOn(next).startOfDay(next).ms);
}

function samplesBetween(resource: string, sourceTypes: readonly string[], fromMs: number, toMs: number, subKind?: string): CompleteRange[] {
  return fromMs < toMs ? [{ kind: 'samples', resource, ...(subKind !== undefined && { subKind }), sourceTypes, fromMs, toMs }] : [];
}

/** All summaries of these days. */
export function allSummaries(resource: string, sourceTypes: readonly string[], days: PullWindow): CompleteRange[] {
  return [{ kind: 'summaries', resource, sourceTypes, ...days }];
}

/** All samples of these days that were entered manually or weighed: they do not depend on a tracker. */
export function allLogged(resource: string, sourceTypes: readonly string[], days: PullWindow, context: MapContext): CompleteRange[] {
  return samplesBetween(resource, sourceTypes, startOf(days.startDate, context), endOf(days.endDate, context));
}

/** All samples of a watch on these days, up to the last sync, or up to `untilMs` when no tracker is known. */
export function allMeasured(resource: string, days: PullWindow, context: MapContext, untilMs: number, subKind?: string): CompleteRange[] {
  const endMs = Math.min(endOf(days.endDate, context), context.syncedUntilMs ?? untilMs);
  return samplesBetween(resource, ['watch'], startOf(days.startDate, context), endMs, subKind);
}

/** All values of days or nights, which are stored at midnight. */
export function allNightly(resource: string, days: PullWindow, context: MapContext): CompleteRange[] {
  const endMs = startOf(days.endDate, context) + atMidnight;
  return samplesBetween(resource, ['watch'], startOf(days.startDate, context), Math.min(endMs, context.syncedUntilMs ?? endMs));
}

/**
 * All samples within nights that ended on these days. A night begins on the previous day, so samples on the last day may belong to the
 * following night, unless the tracker has not been read since.
 */
export function allOfNights(resource: string, days: PullWindow, context: MapContext): CompleteRange[] {
  const lastMs = startOf(days.endDate, context);
  const { syncedUntilMs } = context;
  const isLastNight = syncedUntilMs !== null && syncedUntilMs < endOf(days.endDate, context);
  const endMs = isLastNight ? syncedUntilMs : Math.min(lastMs, syncedUntilMs ?? lastMs);
  return samplesBetween(resource, ['watch'], startOf(days.startDate, context), endMs);
}
