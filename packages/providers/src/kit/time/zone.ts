import { dayMs } from '@pulsewire/kernel';
import type { OffsetOrigin } from '@pulsewire/contract';
import { msToDay, utcMidnight } from './days.ts';

/** A wall-clock time resolved to an instant. */
export interface LocalInstant {
  /** Milliseconds since the epoch. */
  readonly ms: number;
  /** Seconds east of UTC at that instant; null when the zone is unknown. */
  readonly offset: number | null;
  /** `gap`: clocks skipped this time. `overlap`: clocks showed it twice. */
  readonly kind: 'exact' | 'gap' | 'overlap';
}

/** An open time zone. Caches its lookups, so use one instance for a whole pull. */
export interface Zone {
  /** IANA name; null when the user's zone is unknown. */
  readonly name: string | null;
  /**
   * Converts wall-clock digits (from `parseWallClock`) to an instant. In a gap, uses the offset before the change, so the
   * result is after the gap. In an overlap, uses the first pass, unless `nearMs` is closer to the second: pass the
   * expected next instant to keep a series in order.
   */
  toInstant(wallMs: number, nearMs?: number): LocalInstant;
  /** The first instant of a local day. Throws RangeError when it is not a valid day. */
  startOfDay(day: string): LocalInstant;
  /** The local day of an instant. */
  dayOf(ms: number): string;
  /** Seconds east of UTC at an instant; null when the zone is unknown. */
  offsetAt(ms: number): number | null;
  /** Where the offset at an instant comes from; meaningless when the offset is null. */
  originAt(ms: number): OffsetOrigin;
}

type DayOffsets = { readonly before: number } | { readonly before: number; readonly after: number; readonly changeMs: number };

function createOffsetReader(format: Intl.DateTimeFormat): (ms: number) => number {
  return (ms) => {
    const field: Record<string, number> = {};
    for (const part of format.formatToParts(ms)) field[part.type] = Number(part.value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = field;
    return (Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(ms / 1000) * 1000) / 1000;
  };
}

/** Formatting a date costs microseconds and a day of heart rate has 17,000 readings, so each UTC day is looked up once. */
function createOffsets(read: (ms: number) => number): (ms: number) => number {
  const days = new Map<number, DayOffsets>();

  function lookUp(dayStart: number): DayOffsets {
    const [before, after] = [read(dayStart), read(dayStart + dayMs)];
    if (before === after) return { before };
    let [low, high] = [dayStart, dayStart + dayMs];
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000;
      if (read(middle) === before) low = middle;
      else high = middle;
    }
    return { before, after, changeMs: high };
  }

  return (ms) => {
    const day = Math.floor(ms / dayMs);
    let offsets = days.get(day);
    if (offsets === undefined) {
      offsets = lookUp(day * dayMs);
      days.set(day, offsets);
    }
    return 'changeMs' in offsets && ms >= offsets.changeMs ? offsets.after : offsets.before;
  };
}

function createZone(name: string | null, offsetAt: (ms: number) => number, originAt: Zone['originAt']): Zone {
  const found = (ms: number, kind: LocalInstant['kind']): LocalInstant => ({ ms, offset: name === null ? null : offsetAt(ms), kind });

  function toInstant(wallMs: number, nearMs?: number): LocalInstant {
    const [before, after] = [offsetAt(wallMs - dayMs), offsetAt(wallMs + dayMs)];
    const [first, second] = [wallMs - before * 1000, wallMs - after * 1000];
    const isFirst = offsetAt(first) === before;
    const isSecond = offsetAt(second) === after;
    if (!isFirst && !isSecond) return found(first, 'gap');
    if (!isFirst) return found(second, 'exact');
    if (!isSecond || first === second) return found(first, 'exact');
    const isSecondMeant = nearMs !== undefined && Math.abs(second - nearMs) < Math.abs(first - nearMs);
    return found(isSecondMeant ? second : first, 'overlap');
  }

  return {
    name,
    toInstant,
    // When clocks skip midnight there is no 00:00; the gap rule returns the instant of the change.
    startOfDay: (day) => toInstant(utcMidnight(day)),
    dayOf: (ms) => msToDay(ms + offsetAt(ms) * 1000),
    offsetAt: (ms) => (name === null ? null : offsetAt(ms)),
    originAt,
  };
}

/** More than there are zones; names come from outside, in any spelling. */
const formatsMax = 1000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one costs a third of a millisecond, as much as a small batch of a phone. Throws RangeError for an unknown name. */
function formatOf(name: string): Intl.DateTimeFormat {
  const known = formats.get(name);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  if (formats.size < formatsMax) formats.set(name, format);
  return format;
}

/** Opens an IANA time zone; undefined for an unknown name. `origin` says where the name comes from; by default a value names it. */
export function openZone(name: string, origin: OffsetOrigin = 'value'): Zone | undefined {
  try {
    return createZone(name, createOffsets(createOffsetReader(formatOf(name))), () => origin);
  } catch {
    return undefined;
  }
}

/** A zone known only by its offsets (seconds east of UTC) at instants, each with its origin; `name` is a label. */
export function openOffsets(name: string, offsetAt: (ms: number) => number, originAt: Zone['originAt']): Zone {
  return createZone(name, offsetAt, originAt);
}

/** For a user without a known zone: wall clocks are read as UTC and offsets are null. */
export function openUnknownZone(): Zone {
  return createZone(
    null,
    () => 0,
    () => 'value',
  );
}
