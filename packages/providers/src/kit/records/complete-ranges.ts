import { dayMs } from '@pulsewire/kernel';
import type { CompleteRange } from '@pulsewire/contract';
import { addDays, utcMidnight } from '../time/days.ts';
import type { JsonNode } from '../values/json-node.ts';
import type { RecordMaker } from './record-maker.ts';
import type { PullWindow, SummaryName } from '../types/connector.ts';

/** Maximum offset of a clock from UTC. */
const marginMs = 14 * 3_600_000;
/** Readings this recent may still be revised or only partly uploaded. */
const newestMs = 6 * 3_600_000;

/** The window without its first and last day, for providers whose days may start at another hour. */
export function innerDays({ startDate, endDate }: PullWindow): PullWindow {
  return { startDate: addDays(startDate, 1), endDate: addDays(endDate, -1) };
}

/** Readings before this instant are final; -Infinity when the current time is unknown. */
export function settledUntil(now: Date | undefined): number {
  return (now?.getTime() ?? Number.NEGATIVE_INFINITY) - newestMs;
}

/** All summaries of these resources on the window's days. */
export function summariesOn(days: PullWindow, sourceType: string | readonly string[], ...resources: string[]): CompleteRange[] {
  const { startDate, endDate } = days;
  const sourceTypes = typeof sourceType === 'string' ? [sourceType] : sourceType;
  if (endDate < startDate) return [];
  return resources.map((resource) => ({ kind: 'summaries', resource, sourceTypes, startDate, endDate }));
}

/** A time range; the end is exclusive. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** All samples of these resources in a time range, except the newest hours. None without `now`. */
export function samplesBetween(
  { fromMs, toMs }: Stretch,
  now: Date | undefined,
  sourceType: string | readonly string[],
  resources: readonly string[],
): CompleteRange[] {
  const untilMs = Math.min(toMs, settledUntil(now));
  const sourceTypes = typeof sourceType === 'string' ? [sourceType] : sourceType;
  return fromMs < untilMs ? resources.map((resource) => ({ kind: 'samples', resource, sourceTypes, fromMs, toMs: untilMs })) : [];
}

/**
 * All samples of these resources that are within the window's days in every time zone, because a reading's offset may be unknown,
 * except the newest hours. `insetDays` is for providers whose days may contain readings of the day before or after. None without
 * `now`.
 */
export function samplesInside(
  { startDate, endDate }: PullWindow,
  now: Date | undefined,
  sourceType: string | readonly string[],
  resources: readonly string[],
  insetDays = 0,
): CompleteRange[] {
  const fromMs = utcMidnight(startDate) + insetDays * dayMs + marginMs;
  const toMs = utcMidnight(endDate) + (1 - insetDays) * dayMs - marginMs;
  return samplesBetween({ fromMs, toMs }, now, sourceType, resources);
}

/**
 * Whether a response may have been cut: it has as many items as a page may hold, and nothing says whether there are more. Such an answer is
 * complete for no range, because stored data that is missing from it may exist.
 */
export function mayBeCut(items: number, itemsMax: number): boolean {
  return items >= itemsMax;
}

/** The summaries with this id; none when the node is not an id. */
export function namesOf({ value }: JsonNode, sourceType: string, maker: RecordMaker, ...resources: string[]): SummaryName[] {
  if (typeof value !== 'string' && typeof value !== 'number') return [];
  return resources.map((resource) => ({ resource, id: maker.idOf(resource, sourceType, String(value)) }));
}

/** The summaries that a list names by the id under `key`; items without an id are skipped. */
export function namesIn(list: JsonNode, key: string, sourceType: string, maker: RecordMaker, ...resources: string[]): SummaryName[] {
  if (!Array.isArray(list.value)) return [];
  return list.items().flatMap((item) => namesOf(item.at(key), sourceType, maker, ...resources));
}

/** The same ranges of one kind of the resource. */
export function ofKind(subKind: string, ranges: readonly CompleteRange[]): CompleteRange[] {
  return ranges.map((range) => (range.kind === 'samples' ? { ...range, subKind } : range));
}
