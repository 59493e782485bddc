import { utcMidnight } from '../kit/days.ts';
import { JsonNode } from '../kit/json-node.ts';
import type { ProviderAnswer, ProviderHttp, PullWindow } from '../kit/types.ts';
import { parseDuring, readOffset, type Span } from './span.ts';

/** Cycles in one answer at most; a window with its margins must not hold more. */
const cyclesMax = 26;
const dayMs = 86_400_000;
/** A cycle begins in the night before its day, wherever that is, and the one after it tells of journeys. */
const marginMs = 1.5 * dayMs;

/** From falling asleep to falling asleep: WHOOP's day. */
export interface Cycle extends Span {
  readonly node: JsonNode;
  /** The local day that it is about. */
  readonly day: string;
  readonly offset: number | null;
}

export function readCycles(http: ProviderHttp, id: string, { startDate, endDate }: PullWindow): Promise<ProviderAnswer> {
  return http.get('/core-details-bff/v0/cycles/details', {
    id,
    startTime: new Date(utcMidnight(startDate) - marginMs).toISOString(),
    endTime: new Date(utcMidnight(endDate) + dayMs + marginMs).toISOString(),
    limit: String(cyclesMax),
  });
}

/** The list in an answer, which stands at its top or below a name. */
export function cyclesIn(body: unknown): JsonNode {
  const root = new JsonNode(body);
  if (Array.isArray(body)) return root;
  return root.at('cycles').isMissing ? root.at('records') : root.at('cycles');
}

export function readCycle(node: JsonNode): Cycle {
  const span = node.at('during').time(parseDuring);
  const days = node
    .at('days')
    .items()
    .map((item) => item.day());
  const day = days.at(-1);
  if (day === undefined) throw node.at('days').fail('missing_field' as const);
  return { ...span, node, day, offset: readOffset(node.at('timezone_offset')) };
}

export function isWithin(day: string, { startDate, endDate }: PullWindow): boolean {
  return day >= startDate && day <= endDate;
}
