import { msToDay, utcMidnight } from '../../kit/time/days.ts';
import { openOffsets, openUnknownZone, openZone, type Zone } from '../../kit/time/zone.ts';

/** From an instant on the user's clocks stood so far east of UTC. Kept in the account's facts, so plain JSON. */
export interface ClockPoint {
  readonly ms: number;
  /** Seconds. */
  readonly offset: number;
}

interface Moment {
  readonly ms: number;
  readonly offset: number;
}

export interface NightClock {
  readonly start: Moment;
  readonly end: Moment;
}

const hourMs = 3_600_000;
const pointsMax = 100;
const isEuropean = (offset: number): boolean => offset >= 0 && offset <= 10_800;

/**
 * When in a night the clocks were changed, of which only the offsets at both ends are told: in Europe at 1:00 UTC, elsewhere at
 * two by the clock so far. After a flight it is neither, and then the evening's clock counts until the morning.
 */
function changeIn({ start, end }: NightClock): number {
  const isHour = Math.abs(end.offset - start.offset) === 3600;
  const europeanMs = utcMidnight(msToDay(end.ms)) + hourMs;
  const localMs = utcMidnight(msToDay(end.ms + start.offset * 1000)) + 2 * hourMs - start.offset * 1000;
  const changeMs = isEuropean(start.offset) && isEuropean(end.offset) ? europeanMs : localMs;
  return isHour && changeMs > start.ms && changeMs < end.ms ? changeMs : end.ms;
}

function compact(points: readonly ClockPoint[]): ClockPoint[] {
  return points.filter((point, index) => point.offset !== points[index - 1]?.offset).slice(-pointsMax);
}

/** What nights tell of the clocks; between two nights the morning's clock counts. */
export function pointsOf(nights: readonly NightClock[]): ClockPoint[] {
  const sorted = nights.toSorted((a, b) => a.start.ms - b.start.ms);
  return sorted.flatMap((night) => [
    night.start,
    ...(night.start.offset === night.end.offset ? [] : [{ ...night.end, ms: changeIn(night) }]),
  ]);
}

/** What was known, and from the first fresh point on what is told now. */
export function mergePoints(known: readonly ClockPoint[], fresh: readonly ClockPoint[]): ClockPoint[] {
  const [first] = fresh;
  return compact(first === undefined ? known : [...known.filter(({ ms }) => ms < first.ms), ...fresh]);
}

function isPoint(value: unknown): value is ClockPoint {
  if (typeof value !== 'object' || value === null || !('ms' in value) || !('offset' in value)) return false;
  return Number.isSafeInteger(value.ms) && Number.isSafeInteger(value.offset);
}

/** The points in an account's facts; what cannot be read is left out. */
export function knownPoints(account: Readonly<Record<string, unknown>>): readonly ClockPoint[] {
  const points = account['clock'];
  return Array.isArray(points) ? points.filter(isPoint) : [];
}

/** The user's clocks as a zone. Before the first night the user's fallback zone counts, without one that night's clock. */
export function openClock(points: readonly ClockPoint[], fallbackTimeZone: string | null): Zone {
  const fallback = fallbackTimeZone === null ? undefined : openZone(fallbackTimeZone);
  const [first] = points;
  if (first === undefined) return fallback ?? openUnknownZone();
  return openOffsets('nights', (ms) => points.findLast((point) => point.ms <= ms)?.offset ?? fallback?.offsetAt(ms) ?? first.offset);
}
