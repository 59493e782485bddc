import { addDays, dayToMs } from '../kit/time/days.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import { parseInstant } from '../kit/time/time.ts';
import type { ProviderHttp, PullWindow } from '../kit/types/connector.ts';
import { readDays } from './collections.ts';

/** Where the user's clocks stood when one of Oura's days began, at four in the morning. */
export interface DayStart {
  readonly day: string;
  readonly ms: number;
  readonly offset: number;
}

/** What is known of the user's clocks over some days: Oura says the offset with some collections only. */
export interface DayOffsets {
  startOf(day: string): DayStart | null;
  /** null where it is not known, and in the night in which the clocks changed: no row says at what hour. */
  offsetAt(ms: number): number | null;
}

const dayMs = 86_400_000;

/** From the rows of `daily_activity`, in any order. */
export function createDayOffsets(rows: readonly DayStart[]): DayOffsets {
  const sorted = rows.toSorted((a, b) => a.ms - b.ms);
  const byDay = new Map(sorted.map((row) => [row.day, row]));
  return {
    startOf: (day) => byDay.get(day) ?? null,
    offsetAt(ms) {
      const index = sorted.findLastIndex((row) => row.ms <= ms);
      const [row, following] = [sorted[index], sorted[index + 1]];
      // A row speaks for its day; days without one say nothing.
      if (!row || ms - row.ms > dayMs * 1.1) return null;
      if (!following || following.offset === row.offset) return row.offset;
      const midnightMs = (dayToMs(following.day) ?? 0) - row.offset * 1000;
      return ms < midnightMs ? row.offset : null;
    },
  };
}

/** The day rows of an answer of `daily_activity`; unreadable ones are left out, their own pull sets them aside. */
export function readDayStarts(body: unknown): DayStart[] {
  return readEach('activity', new JsonNode(body).at('data'), [], (item) => {
    const { ms, offset } = item.at('timestamp').time(parseInstant);
    return { day: item.at('day').day(), ms, offset };
  });
}

/**
 * Asks for the offsets of a window and of the day before it, whose row covers the first hours: so an instant is judged the same
 * in whatever window it is read. Knows nothing without the scope `daily`.
 */
export async function readDayOffsets(http: ProviderHttp, window: PullWindow, grantedScopes: readonly string[]): Promise<DayOffsets> {
  if (!grantedScopes.includes('daily')) return createDayOffsets([]);
  const rows: DayStart[] = [];
  const asked = { ...window, startDate: addDays(window.startDate, -1) };
  for await (const answer of readDays(http, 'daily_activity', asked, 'day,timestamp')) rows.push(...readDayStarts(answer.body));
  return createDayOffsets(rows);
}
