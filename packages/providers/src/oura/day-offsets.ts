import { dayMs } from '@pulsewire/kernel';
import { addDays, dayToMs } from '../kit/time/days.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import { parseInstant } from '../kit/time/time.ts';
import type { ProviderHttp, PullWindow } from '../kit/types/connector.ts';
import { readDays } from './collections.ts';

/** The user's UTC offset when one of Oura's days began, at 04:00. */
export interface DayStart {
  readonly day: string;
  readonly ms: number;
  readonly offset: number;
}

/** The known UTC offsets of the user over some days: only some of Oura's collections contain the offset. */
export interface DayOffsets {
  startOf(day: string): DayStart | null;
  /** null where it is not known, and in the night in which the clocks changed, because no row contains the hour of the change. */
  offsetAt(ms: number): number | null;
}

/** From the rows of `daily_activity`, in any order. */
export function createDayOffsets(rows: readonly DayStart[]): DayOffsets {
  const sorted = rows.toSorted((a, b) => a.ms - b.ms);
  const byDay = new Map(sorted.map((row) => [row.day, row]));
  return {
    startOf: (day) => byDay.get(day) ?? null,
    offsetAt(ms) {
      const index = sorted.findLastIndex((row) => row.ms <= ms);
      const [row, following] = [sorted[index], sorted[index + 1]];
      // A row applies only to its own day.
      if (!row || ms - row.ms > dayMs * 1.1) return null;
      if (!following || following.offset === row.offset) return row.offset;
      const midnightMs = (dayToMs(following.day) ?? 0) - row.offset * 1000;
      return ms < midnightMs ? row.offset : null;
    },
  };
}

/** The day rows of a response of `daily_activity`; unreadable ones are skipped here and quarantined by their own pull. */
export function readDayStarts(body: unknown): DayStart[] {
  return readEach('activity', new JsonNode(body).at('data'), [], (item) => {
    const { ms, offset } = item.at('timestamp').time(parseInstant);
    return { day: item.at('day').day(), ms, offset };
  });
}

/**
 * Requests the offsets of a window and of the days beside it: the row of the day before covers the first hours, and east of Greenwich the
 * user's next day begins before the window, whose days are UTC's, has ended. An instant thus gets the same offset in every window. Empty
 * without the scope `daily`.
 */
export async function readDayOffsets(http: ProviderHttp, window: PullWindow, grantedScopes: readonly string[]): Promise<DayOffsets> {
  if (!grantedScopes.includes('daily')) return createDayOffsets([]);
  const rows: DayStart[] = [];
  const requested = { startDate: addDays(window.startDate, -1), endDate: addDays(window.endDate, 1) };
  for await (const response of readDays(http, 'daily_activity', requested, 'day,timestamp')) rows.push(...readDayStarts(response.body));
  return createDayOffsets(rows);
}
