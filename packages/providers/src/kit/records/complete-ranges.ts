import type { CompleteRange } from '@pulsewire/contract';
import { addDays, utcMidnight } from '../time/days.ts';
import type { JsonNode } from '../values/json-node.ts';
import type { RecordMaker } from './record-maker.ts';
import type { PullWindow, SummaryName } from '../types/connector.ts';

const dayMs = 86_400_000;
/** Clocks are at most this far from UTC. */
const marginMs = 14 * 3_600_000;
/** What was measured this recently may still be revised or handed over in part. */
const newestMs = 6 * 3_600_000;

/** The days between the first and the last: for providers whose days may not begin where ours do. */
export function innerDays({ startDate, endDate }: PullWindow): PullWindow {
  return { startDate: addDays(startDate, 1), endDate: addDays(endDate, -1) };
}

/** What was measured before this instant is no longer revised or handed over in part; -Infinity where the time is not known. */
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

/** A stretch of time; its end does not belong to it. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** All samples of these resources in a stretch, save the newest hours. None without `now`. */
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
 * All samples of these resources that lie within the window's days wherever the user is, save the newest hours: the offset that tells a
 * reading's local day may not be known. `insetDays` where a day of the provider may hold readings of the day before or after. None
 * without `now`.
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

/** The summaries that an id stands for; none where it is no id. */
export function namesOf({ value }: JsonNode, sourceType: string, maker: RecordMaker, ...resources: string[]): SummaryName[] {
  if (typeof value !== 'string' && typeof value !== 'number') return [];
  return resources.map((resource) => ({ resource, id: maker.idOf(resource, sourceType, String(value)) }));
}

/** The summaries that the items of a list stand for, by the id under `key`; an item without an id is left out. */
export function namesIn(list: JsonNode, key: string, sourceType: string, maker: RecordMaker, ...resources: string[]): SummaryName[] {
  if (!Array.isArray(list.value)) return [];
  return list.items().flatMap((item) => namesOf(item.at(key), sourceType, maker, ...resources));
}

/** The same ranges of one kind of the resource. */
export function ofKind(subKind: string, ranges: readonly CompleteRange[]): CompleteRange[] {
  return ranges.map((range) => (range.kind === 'samples' ? { ...range, subKind } : range));
}
