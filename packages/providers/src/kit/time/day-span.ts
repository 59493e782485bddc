import type { OffsetOrigin } from '@pulsewire/contract';
import { addDays, utcMidnight } from './days.ts';
import type { Zone } from './zone.ts';

/** A local day as the interval of a sample. */
export interface DaySpan {
  readonly ts: number;
  readonly end: number;
  readonly timezoneOffset: number | null;
  readonly offsetFrom: OffsetOrigin;
}

/**
 * The interval from midnight to midnight. `offsets` (seconds east of UTC): the offsets that the provider states for both ends; a daily row
 * often states only the offset of its end, and the row of the previous day that of its start. Without them the zone is used.
 */
export function daySpan(day: string, offsets: { readonly start: number; readonly end: number } | null, zone: Zone): DaySpan {
  const next = addDays(day, 1);
  if (offsets === null) {
    const { ms, offset } = zone.startOfDay(day);
    return { ts: ms, end: zone.startOfDay(next).ms, timezoneOffset: offset, offsetFrom: zone.originAt(ms) };
  }
  const [ts, end] = [utcMidnight(day) - offsets.start * 1000, utcMidnight(next) - offsets.end * 1000];
  return { ts, end, timezoneOffset: offsets.start, offsetFrom: 'value' };
}
