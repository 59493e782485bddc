import { dayMs } from '@pulsewire/kernel';
import { dateOf, dayNumber } from './calendar.ts';

export interface LocalTime {
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly minute: number;
  readonly second: number;
}

/** A time zone with its rules, for responses with local times without an offset. */
export interface Zone {
  readonly name: string;
  offsetMinutes(instantMs: number): number;
  toLocal(instantMs: number): LocalTime;
  /** The instant of a local time. Seconds may run past the day at both ends. In a repeated hour: one of the two. */
  toInstant(date: string, secondOfDay: number): number;
  /** Whether the clocks jump over this minute of this day. */
  isSkipped(date: string, minute: number): boolean;
  /** `YYYY-MM-DDTHH:mm:ss.000`, without offset. */
  localText(instantMs: number): string;
  /** `YYYY-MM-DDTHH:mm:ss.000+02:00` */
  offsetText(instantMs: number): string;
}

// Offsets change at full quarters of an hour.
const quarterMs = 900_000;
const cachedOffsetsMax = 20_000;

/** The zone of an IANA name. Throws RangeError for a name that the platform does not know. */
export function createZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' });
  const offsets = new Map<number, number>();

  function offsetAt(instantMs: number): number {
    let offset = offsets.get(instantMs);
    if (offset === undefined) {
      if (offsets.size >= cachedOffsetsMax) offsets.clear();
      offset = parseOffset(format.formatToParts(instantMs).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT');
      offsets.set(instantMs, offset);
    }
    return offset;
  }

  // Intl is slow, and no zone changes its offset twice within a day.
  function offsetMinutes(instantMs: number): number {
    const startMs = Math.floor(instantMs / dayMs) * dayMs;
    const offset = offsetAt(startMs);
    return offset === offsetAt(startMs + dayMs) ? offset : offsetAt(Math.floor(instantMs / quarterMs) * quarterMs);
  }

  const shifted = (instantMs: number) => new Date(instantMs + offsetMinutes(instantMs) * 60_000).toISOString();

  function toLocal(instantMs: number): LocalTime {
    const localMs = instantMs + offsetMinutes(instantMs) * 60_000;
    const day = Math.floor(localMs / dayMs);
    const seconds = Math.floor((localMs - day * dayMs) / 1000);
    return { date: dateOf(day), minute: Math.floor(seconds / 60), second: seconds % 60 };
  }

  function toInstant(date: string, secondOfDay: number): number {
    const localMs = dayNumber(date) * dayMs + secondOfDay * 1000;
    const guessMs = localMs - offsetMinutes(localMs) * 60_000;
    return localMs - offsetMinutes(guessMs) * 60_000;
  }

  return {
    name,
    offsetMinutes,
    toLocal,
    toInstant,
    isSkipped(date, minute) {
      const startMs = toInstant(date, 0);
      if (offsetMinutes(startMs) >= offsetMinutes(startMs + 86_400_000)) return false;
      return toLocal(toInstant(date, minute * 60)).minute !== minute;
    },
    localText: (instantMs) => `${shifted(instantMs).slice(0, 19)}.000`,
    offsetText(instantMs) {
      const minutes = offsetMinutes(instantMs);
      const pad = (value: number) => String(Math.trunc(Math.abs(value))).padStart(2, '0');
      return `${shifted(instantMs).slice(0, 19)}.000${minutes < 0 ? '-' : '+'}${pad(minutes / 60)}:${pad(minutes % 60)}`;
    },
  };
}

function parseOffset(text: string): number {
  const match = /^GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(text);
  if (!match?.[1]) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return match[1] === '-' ? -minutes : minutes;
}
