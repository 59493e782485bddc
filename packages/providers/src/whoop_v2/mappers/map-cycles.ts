import type { CanonicalRecord } from '@pulsewire/contract';
import { mapEach } from '../../kit/records/map-records.ts';
import { isWithin, leaveOut } from '../../kit/records/left-out.ts';
import { utcMidnight } from '../../kit/time/days.ts';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import type { MappedRecords, PullWindow } from '../../kit/types/connector.ts';
import { dayAt, isScored, readKilocalories, readRounded, readSpan, strap, type WhoopContext } from '../whoop.ts';

const halfDayMs = 12 * 3_600_000;

/** The day on which the user woke up in a cycle, by the cycle's id. */
export type WakeUpDays = ReadonlyMap<string, string>;

/** From a page of sleeps; naps are ignored. Unreadable items are skipped here and quarantined by the pull of sleeps. */
export function readWakeUpDays(body: unknown, context: WhoopContext): readonly (readonly [cycleId: string, day: string])[] {
  const sleeps = readEach('sleep', new JsonNode(body).at('records'), [], (item) => {
    const { endMs, offset } = readSpan(item);
    if (endMs === null || item.at('nap').value === true || item.at('cycle_id').isMissing) return undefined;
    return [item.at('cycle_id').id(), dayAt(endMs, offset, context)] as const;
  });
  return sleeps;
}

function readCycle(item: JsonNode, days: WakeUpDays, window: PullWindow, context: WhoopContext): CanonicalRecord | undefined {
  const externalId = item.at('id').id();
  const { startMs, offset } = readSpan(item);
  item.at('user_id').id();
  // A cycle begins when the user falls asleep, mostly in the evening before its day.
  const day = days.get(externalId) ?? dayAt(startMs + halfDayMs, offset, context);
  if (!isWithin(day, window)) return undefined;
  if (!isScored(item)) {
    leaveOut(window, 'unfinished');
    return undefined;
  }
  const score = item.at('score');
  return context.summary({
    raw: item,
    resource: 'activity',
    sourceType: strap,
    externalId,
    calendarDate: day,
    at: utcMidnight(day),
    data: {
      calories_total: readKilocalories(score.at('kilojoule')),
      calories_active: null,
      steps: null,
      distance: null,
      heart_rate: { avg_bpm: readRounded(score.at('average_heart_rate')), max_bpm: readRounded(score.at('max_heart_rate')) },
      timezone_offset: offset,
    },
  });
}

/** A page of `/v2/cycle`: physiological days as activity. WHOOP counts neither steps nor distance. */
export function mapCycles(body: unknown, days: WakeUpDays, window: PullWindow, context: WhoopContext): MappedRecords {
  return mapEach('activity', new JsonNode(body).at('records'), (item) => readCycle(item, days, window, context));
}
