import { dayMs, hourMs } from '@pulsewire/kernel';
import { mayHaveChanged } from '../kit/time/clock-changes.ts';
import { msToDay } from '../kit/time/days.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import { type RecordMaker, recordMakersOf } from '../kit/records/record-maker.ts';

export const garminSlug = 'garmin';
/** `source_id` on the wire. */
export const garminSourceId = 16;

export const watch = 'watch';
export const scale = 'scale';
export const cuff = 'cuff';
/** Source type of manual entries. */
export const app = 'app';

export type GarminContext = RecordMaker;

export const createContext = recordMakersOf(garminSlug);

/** The time that a summary covers. */
export interface Span {
  readonly startMs: number;
  /** Equal to the start when the summary has no duration. */
  readonly endMs: number;
  /** Seconds east of UTC at the start, as set on the watch; null when the summary does not state it. */
  readonly offset: number | null;
  /** Local day of the start. */
  readonly day: string;
  offsetAt(ms: number): number | null;
}

// Until the year 2100: no watch reports a later time.
const latestSeconds = 4_102_444_800;
const longestSeconds = 366 * 86_400;

/** Reads an instant in seconds since the epoch; returns ms. */
export function readInstant(node: JsonNode): number {
  const seconds = node.amount();
  if (seconds > latestSeconds) throw node.fail('bad_time');
  return Math.round(seconds * 1000);
}

/** Reads a duration in seconds; returns ms. */
export function readDuration(node: JsonNode): number {
  const seconds = node.amount();
  if (seconds > longestSeconds) throw node.fail('bad_time');
  return Math.round(seconds * 1000);
}

/** Seconds east of UTC; null when missing. */
export function readOffset(node: JsonNode): number | null {
  const offset = node.optional((present) => Math.round(present.number()));
  if (offset !== null && Math.abs(offset) > dayMs / 1000) throw node.fail('bad_time');
  return offset;
}

/**
 * A summary states one offset, that of its start; a health snapshot under another name. A length of 23 or 25 hours shows that the clocks changed
 * that day, but not when; and a night or an hour shows nothing. If the user's zone is unknown too, readings from the first instant on at which
 * clocks with this offset change anywhere have no offset.
 */
export function readSpan(item: JsonNode, context: GarminContext): Span {
  const startMs = readInstant(item.at('startTimeInSeconds'));
  const offset = readOffset(item.at('startTimeOffsetInSeconds')) ?? readOffset(item.at('offsetStartTimeInSeconds'));
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
      return hasChanged || (offset !== null && mayHaveChanged(offset, startMs, ms)) ? null : offset;
    },
  };
}

/** The day that a summary belongs to: as reported, else the day of its start. */
export function dayOf(item: JsonNode, span: Span): string {
  return item.at('calendarDate').optional((node) => node.day()) ?? span.day;
}

/** An amount, or null; Garmin also uses negative numbers for "not measured". */
export function amountOf(item: JsonNode, key: string): number | null {
  const value = item.at(key).optional((node) => node.number());
  return value === null || value < 0 ? null : value;
}

/** As `amountOf`, for values that are never zero in a living person, such as a heart rate: zero means "not measured" too. */
export function positiveOf(item: JsonNode, key: string): number | null {
  return amountOf(item, key) || null;
}

/** An amount, rounded to a whole number. */
export function countOf(item: JsonNode, key: string): number | null {
  const value = amountOf(item, key);
  return value === null ? null : Math.round(value);
}

/**
 * Metres covered. Watches in wheelchair mode report the pushed distance separately; when both are reported they may be the same metres, so
 * they are not added.
 */
export function distanceOf(item: JsonNode): number | null {
  const covered = amountOf(item, 'distanceInMeters');
  return covered || positiveOf(item, 'pushDistanceInMeters') || covered;
}
