import { dayToMs } from './days.ts';

const localPattern = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?$/;
const clockPattern = /^(\d{2}):(\d{2})(?::(\d{2}))?$/;
const offsetPattern = /(?:Z|([+-])(\d{2}):?(\d{2}))$/;

function clockMs(hour: string, minute: string, second = '0', fraction = ''): number | undefined {
  const [h, m, s] = [Number(hour), Number(minute), Number(second)];
  if (h > 23 || m > 59 || s > 59) return undefined;
  return ((h * 60 + m) * 60 + s) * 1000 + Number(fraction.padEnd(3, '0').slice(0, 3));
}

/** `HH:MM` or `HH:MM:SS` as ms since midnight; undefined for anything else. */
export function parseClock(text: string): number | undefined {
  const match = clockPattern.exec(text);
  return match === null ? undefined : clockMs(match[1] as string, match[2] as string, match[3]);
}

/**
 * The digits of a wall clock, `YYYY-MM-DDTHH:MM[:SS[.fff]]` without offset, read as if they were UTC. It needs
 * a zone to become an instant. Undefined for anything else.
 */
export function parseWallClock(text: string): number | undefined {
  const match = localPattern.exec(text);
  if (match === null) return undefined;
  const day = dayToMs(match[1] as string);
  const clock = clockMs(match[2] as string, match[3] as string, match[4], match[5]);
  return day === undefined || clock === undefined ? undefined : day + clock;
}

/** An ISO 8601 time with an offset: the instant in ms and the offset in seconds. Undefined for anything else. */
export function parseInstant(text: string): { ms: number; offset: number } | undefined {
  const match = offsetPattern.exec(text);
  if (match === null) return undefined;
  const wall = parseWallClock(text.slice(0, match.index));
  const [hours, minutes] = [Number(match[2] ?? 0), Number(match[3] ?? 0)];
  if (wall === undefined || hours > 18 || minutes > 59) return undefined;
  const offset = (match[1] === '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
  return { ms: wall - offset * 1000, offset: offset === 0 ? 0 : offset };
}
