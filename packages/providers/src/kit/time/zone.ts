import { msToDay, utcMidnight } from './days.ts';

const dayMs = 86_400_000;

/** A wall-clock time that has found its instant. */
export interface LocalInstant {
  /** Milliseconds since the epoch. */
  readonly ms: number;
  /** Seconds east of UTC, in force at that moment; null when the zone is not known. */
  readonly offset: number | null;
  /** `gap`: no clock ever showed this time. `overlap`: clocks showed it twice. */
  readonly kind: 'exact' | 'gap' | 'overlap';
}

/** One time zone, opened. Remembers what it has looked up, so one instance should serve a whole pull. */
export interface Zone {
  /** IANA name; null when nothing is known of the user's zone. */
  readonly name: string | null;
  /**
   * Wall-clock digits (as `parseWallClock` gives them) to their instant. In a gap the clock is taken as not yet put
   * forward, so the time lands after the gap. In an overlap the first pass is meant, unless `nearMs` lies closer to
   * the second: give the instant that is expected next and a series in clock order keeps its order.
   */
  toInstant(wallMs: number, nearMs?: number): LocalInstant;
  /** The first moment of a local day. Throws RangeError when it is not a day. */
  startOfDay(day: string): LocalInstant;
  /** The local day of an instant. */
  dayOf(ms: number): string;
  /** Seconds east of UTC at an instant; null when the zone is not known. */
  offsetAt(ms: number): number | null;
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

/** Formatting a date costs microseconds and a day of heart rate has 17,000 readings, so a UTC day is asked for once. */
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

function createZone(name: string | null, offsetAt: (ms: number) => number): Zone {
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
    // Where clocks are put forward at midnight there is no 00:00; the gap rule gives the moment of the change.
    startOfDay: (day) => toInstant(utcMidnight(day)),
    dayOf: (ms) => msToDay(ms + offsetAt(ms) * 1000),
    offsetAt: (ms) => (name === null ? null : offsetAt(ms)),
  };
}

/** Opens an IANA time zone; undefined when no such zone is known. */
export function openZone(name: string): Zone | undefined {
  try {
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
    return createZone(name, createOffsets(createOffsetReader(format)));
  } catch {
    return undefined;
  }
}

/** A zone of which nothing is known but where its clocks stood when (seconds east of UTC); `name` is a word for it. */
export function openOffsets(name: string, offsetAt: (ms: number) => number): Zone {
  return createZone(name, offsetAt);
}

/** For a user of whom no zone is known: clocks are taken as UTC and offsets stay null. */
export function openUnknownZone(): Zone {
  return createZone(null, () => 0);
}
