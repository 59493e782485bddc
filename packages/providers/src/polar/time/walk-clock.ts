import { dayMs, minuteMs } from '@pulsewire/kernel';
import type { Quarantined } from '@pulsewire/contract';
import { readEachOf, type JsonNode } from '../../kit/values/json-node.ts';
import { parseClock } from '../../kit/time/time.ts';
import type { Zone } from '../../kit/time/zone.ts';

/** The first key may lie some minutes before the start. */
const slackMs = 15 * minuteMs;

/** The first instant from `fromMs` on at which the local time, `offset` seconds east of UTC, is `clockMs`. */
function nextAt(clockMs: number, fromMs: number, offset: number): number {
  const shownMs = (fromMs + offset * 1000) % dayMs;
  return fromMs + ((clockMs - shownMs + dayMs) % dayMs);
}

export interface ClockSpan {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly zone: Zone;
}

export interface ClockValues<T> {
  readonly resource: string;
  readonly quarantined: Quarantined[];
  read(node: JsonNode): T;
}

/**
 * The entries of an object whose keys are wall clocks, `HH:MM`, in chronological order: they wrap at midnight, and jump or repeat
 * when the clocks change. Each is searched for after the previous one, even if that one's value is unreadable and quarantined.
 * Throws UnreadableError for a time after `untilMs`.
 */
export function walkClock<T>(
  series: JsonNode,
  { fromMs, untilMs, zone }: ClockSpan,
  { resource, quarantined, read }: ClockValues<T>,
): { readonly ms: number; readonly value: T }[] {
  if (series.isMissing) return [];
  if (typeof series.value !== 'object' || Array.isArray(series.value)) throw series.fail('unknown_shape');
  let atMs = Math.floor(fromMs / minuteMs) * minuteMs - slackMs;
  const offsetAt = (ms: number) => zone.offsetAt(ms) ?? 0;
  const clocked = Object.keys(series.value as object).map((key) => {
    const clockMs = parseClock(key);
    if (clockMs === undefined) throw series.at(key).fail('bad_time');
    const found = [...new Set([offsetAt(atMs), offsetAt(untilMs)])].map((offset) => ({ offset, ms: nextAt(clockMs, atMs, offset) }));
    const shown = found.filter(({ ms, offset }) => offsetAt(ms) === offset);
    atMs = Math.min(...(shown.length > 0 ? shown : found).map(({ ms }) => ms));
    if (atMs > untilMs + slackMs) throw series.at(key).fail('bad_time');
    return { ms: atMs, node: series.at(key) };
  });
  return readEachOf(resource, series, clocked, quarantined, ({ ms, node }) => ({ ms, value: read(node) }));
}
