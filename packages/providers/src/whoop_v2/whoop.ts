import { type RecordMaker, recordMakersOf } from '../kit/records/record-maker.ts';
import { namesIn } from '../kit/records/complete-ranges.ts';
import { msToDay } from '../kit/time/days.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { roundTo } from '../kit/values/numbers.ts';
import { parseInstant } from '../kit/time/time.ts';
import type { SummaryName } from '../kit/types/connector.ts';

export const whoopSlug = 'whoop_v2';
/** `source_id` on the wire. */
export const whoopSourceId = 6;
/** The source of everything except what the user typed in. */
export const strap = 'watch';

/** What mappers get beside the response. */
export type WhoopContext = RecordMaker;

export const createContext = recordMakersOf(whoopSlug);

/** The summaries that correspond to the records of a page, scored or not, on any day. */
export function namedIn(body: unknown, resource: string, context: WhoopContext): SummaryName[] {
  return namesIn(new JsonNode(body).at('records'), 'id', strap, context, resource);
}

const kilojoulesPerKilocalorie = 4.184;

/** Energy in kcal; WHOOP reports kJ. */
export function readKilocalories(node: JsonNode): number | null {
  return node.optional((energy) => roundTo(energy.amount() / kilojoulesPerKilocalorie, 1));
}

/** Whole seconds; WHOOP reports milliseconds. Zero where it reports none. */
export function readSeconds(node: JsonNode): number {
  return Math.round((node.optional((duration) => duration.amount()) ?? 0) / 1000);
}

export function readRounded(node: JsonNode): number | null {
  return node.optional((value) => Math.round(value.amount()));
}

/** The time range of a record: its instants are UTC, with the user's offset in a separate field. */
export interface Span {
  readonly startMs: number;
  /** null while it is still running. */
  readonly endMs: number | null;
  /** Seconds east of UTC; null when the record does not contain it. */
  readonly offset: number | null;
}

export function readSpan(item: JsonNode): Span {
  const startMs = item.at('start').time(parseInstant).ms;
  const endMs = item.at('end').optional((node) => node.time(parseInstant).ms);
  if (endMs !== null && endMs < startMs) throw item.at('end').fail('bad_time');
  return { startMs, endMs, offset: readOffset(item.at('timezone_offset')) };
}

/** `+hh:mm` or `Z`, in seconds. */
export function readOffset(node: JsonNode): number | null {
  return node.optional((text) => text.time((offset) => parseInstant(`2000-01-01T00:00${offset}`)).offset);
}

/** The user's day at an instant; from the account's offset when the record has none. */
export function dayAt(ms: number, offset: number | null, context: WhoopContext): string {
  return offset === null ? context.zoneOn(msToDay(ms)).dayOf(ms) : msToDay(ms + offset * 1000);
}

/** Only `SCORED` records have figures; a later update may add them to others. */
export function isScored(item: JsonNode): boolean {
  return item.at('score_state').value === 'SCORED';
}
