import { msToDay } from '../kit/time/days.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import { createRecordMaker, type RecordMaker } from '../kit/records/record-maker.ts';
import type { PullUser } from '../kit/types/connector.ts';

export const garminSlug = 'garmin';
/** `source_id` on the wire. */
export const garminSourceId = 16;

export const watch = 'watch';
export const scale = 'scale';
export const cuff = 'cuff';
/** What the user typed in. */
export const app = 'app';

export type GarminContext = RecordMaker;

export function createContext(user: PullUser): GarminContext {
  return createRecordMaker(garminSlug, user);
}

/** What a summary covers. */
export interface Span {
  readonly startMs: number;
  /** The start where the summary does not say how long it lasts. */
  readonly endMs: number;
  /** Seconds east of UTC at the start, as the watch was set; null when the summary does not say. */
  readonly offset: number | null;
  /** Local day of the start. */
  readonly day: string;
  offsetAt(ms: number): number | null;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
// Until the year 2100: what lies beyond is no time of a watch.
const latestSeconds = 4_102_444_800;
const longestSeconds = 366 * 86_400;

/** An instant in seconds since the epoch, as ms. */
export function readInstant(node: JsonNode): number {
  const seconds = node.amount();
  if (seconds > latestSeconds) throw node.fail('bad_time');
  return Math.round(seconds * 1000);
}

/** How long something lasts, in seconds, as ms. */
export function readDuration(node: JsonNode): number {
  const seconds = node.amount();
  if (seconds > longestSeconds) throw node.fail('bad_time');
  return Math.round(seconds * 1000);
}

/** Seconds east of UTC; null where there are none. */
export function readOffset(node: JsonNode): number | null {
  const offset = node.optional((present) => Math.round(present.number()));
  if (offset !== null && Math.abs(offset) > dayMs / 1000) throw node.fail('bad_time');
  return offset;
}

/**
 * A summary names one offset, that of its start. A day of 23 or 25 hours says that the clocks changed in it, and not when: where the
 * user's zone is not known either, no offset is claimed behind its start.
 */
export function readSpan(item: JsonNode, context: GarminContext): Span {
  const startMs = readInstant(item.at('startTimeInSeconds'));
  const offset = readOffset(item.at('startTimeOffsetInSeconds'));
  const durationMs = item.at('durationInSeconds').optional(readDuration) ?? 0;
  const day = msToDay(startMs + (offset ?? 0) * 1000);
  const zone = context.zoneOn(day);
  const isZoneRight = offset !== null && zone.offsetAt(startMs) === offset;
  const hasChanged = durationMs === dayMs - hourMs || durationMs === dayMs + hourMs;
  return {
    startMs,
    endMs: startMs + durationMs,
    offset,
    day,
    offsetAt(ms) {
      if (ms === startMs) return offset;
      if (isZoneRight) return zone.offsetAt(ms);
      return hasChanged ? null : offset;
    },
  };
}

/** The day that a summary belongs to: its own word, else that of its start. */
export function dayOf(item: JsonNode, span: Span): string {
  return item.at('calendarDate').optional((node) => node.day()) ?? span.day;
}

/** An amount, or null; Garmin says "not measured" by numbers below zero too. */
export function amountOf(item: JsonNode, key: string): number | null {
  const value = item.at(key).optional((node) => node.number());
  return value === null || value < 0 ? null : value;
}

/** The same of what no living person has none of, such as a heart rate: there a zero means "not measured" too. */
export function positiveOf(item: JsonNode, key: string): number | null {
  return amountOf(item, key) || null;
}

/** An amount as a whole number. */
export function countOf(item: JsonNode, key: string): number | null {
  const value = amountOf(item, key);
  return value === null ? null : Math.round(value);
}

/**
 * Metres covered. Watches in wheelchair mode tell those pushed apart; where both are told they may be the same metres, so they are not
 * added up.
 */
export function distanceOf(item: JsonNode): number | null {
  const covered = amountOf(item, 'distanceInMeters');
  return covered || positiveOf(item, 'pushDistanceInMeters') || covered;
}
