import { dateOf, dayNumber } from './recording.ts';

const minuteMs = 60_000;
const quarterMs = 15 * minuteMs;

/** A minute of absolute time with its local clock time. */
export interface LocalMinute {
  readonly ms: number;
  readonly date: string;
  readonly minute: number;
  /** True for the second occurrence of this minute on this local day. */
  readonly isSecond: boolean;
}

/**
 * Every minute from the beginning of the local day `firstDate` until `untilMs`, in a time zone. Queries the platform once per quarter of an
 * hour.
 */
export function localMinutes(timeZone: string, firstDate: string, untilMs: number): LocalMinute[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  const offsetOf = (ms: number): number => Date.parse(`${format.format(ms).replace(' ', 'T')}Z`) - ms;
  const seen = new Set<string>();
  const minutes: LocalMinute[] = [];
  let offset = 0;
  for (let ms = Date.parse(`${dateOf(dayNumber(firstDate) - 1)}T00:00:00Z`); ms < untilMs; ms += minuteMs) {
    if (ms % quarterMs === 0) offset = offsetOf(ms);
    const local = new Date(ms + offset);
    const date = local.toISOString().slice(0, 10);
    if (date < firstDate) continue;
    const minute = local.getUTCHours() * 60 + local.getUTCMinutes();
    const key = `${date} ${minute}`;
    minutes.push({ ms, date, minute, isSecond: seen.has(key) });
    seen.add(key);
  }
  return minutes;
}
