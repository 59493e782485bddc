import { dayMs } from '@pulsewire/kernel';
import { msToDay, utcMidnight } from '../kit/time/days.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { ProviderResponse, ProviderHttp, PullWindow } from '../kit/types/connector.ts';
import { parseDuring, parseLastDay, readOffset, type Span } from './span.ts';

/** Cycles in one response at most; a window with its margins must not hold more. */
export const cyclesMax = 26;
/** A cycle begins in the night before its day, in any time zone, and the next cycle shows whether the offset changed. */
const marginMs = 1.5 * dayMs;

/** From falling asleep to falling asleep: WHOOP's day. */
export interface Cycle extends Span {
  /** The whole record: `cycle`, `sleeps`, `recovery`, `workouts`, `v2_activities`. */
  readonly record: JsonNode;
  readonly id: string;
  /** The local day of the cycle. */
  readonly day: string;
  readonly offset: number | null;
}

export function readCycles(http: ProviderHttp, id: string, { startDate, endDate }: PullWindow): Promise<ProviderResponse> {
  return http.get('/core-details-bff/v0/cycles/details', {
    id,
    startTime: new Date(utcMidnight(startDate) - marginMs).toISOString(),
    endTime: new Date(utcMidnight(endDate) + dayMs + marginMs).toISOString(),
    limit: String(cyclesMax),
  });
}

export function cyclesIn(body: unknown): JsonNode {
  return new JsonNode(body).at('records');
}

/** A cycle begins when the user falls asleep, mostly in the evening before its day. */
const halfDayMs = 12 * 3_600_000;

/**
 * The cycle of a record. If the cycle has just begun, its `days` may be missing: then its day is that of twelve hours after its
 * start.
 */
export function readCycle(record: JsonNode): Cycle {
  const cycle = record.at('cycle');
  const id = cycle.at('id').id();
  const span = cycle.at('during').time(parseDuring);
  const offset = readOffset(cycle.at('timezone_offset'));
  const day = cycle.at('days').optional((node) => node.time(parseLastDay)) ?? msToDay(span.startMs + halfDayMs + (offset ?? 0) * 1000);
  return { ...span, record, id, day, offset };
}

/** The items of the list in which WHOOP names every activity: workouts, nights and naps. */
export function activitiesOf({ record }: Cycle): JsonNode[] {
  const activities = record.at('v2_activities');
  return Array.isArray(activities.value) ? activities.items() : [];
}

/** Whether the record has figures: pending and unscorable ones have none. WHOOP's own API uses `SCORED`, the app's `complete`. */
export function isComplete(state: JsonNode): boolean {
  return state.isMissing || state.value === 'complete' || state.value === 'SCORED';
}
