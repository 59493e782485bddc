import { dayMs } from '@pulsewire/kernel';
import type { SummaryWindow } from '@pulsewire/store';
import { dateTimeMs, isDay } from './formats.ts';

/** Raw bounds: days or date-times; no end means now. */
export interface WindowQuery {
  readonly start_date: string;
  readonly end_date?: string | undefined;
}

/** Both bounds as instants, inclusive, ms since the epoch. A bare day covers the whole day in UTC. */
export function instants(query: WindowQuery, now: Date): { readonly fromMs: number; readonly toMs: number } {
  const { start_date: start, end_date: end } = query;
  const fromMs = isDay(start) ? Date.parse(start) : dateTimeMs(start);
  if (end === undefined) return { fromMs, toMs: now.getTime() };
  return { fromMs, toMs: isDay(end) ? Date.parse(end) + dayMs - 1 : dateTimeMs(end) };
}

/** By local days when both bounds are days, else by instants. */
export function summaryWindow(query: WindowQuery, now: Date): SummaryWindow {
  const { start_date: start, end_date: end } = query;
  if (end !== undefined && isDay(start) && isDay(end)) return { by: 'day', from: start, to: end };
  return { by: 'instant', ...instants(query, now) };
}
