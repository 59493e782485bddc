import { hourMs } from '@pulsewire/kernel';
import { JsonNode, readEach } from '../../kit/values/json-node.ts';
import { parseInstant } from '../../kit/time/time.ts';
import { msToDay, utcMidnight } from '../../kit/time/days.ts';
import { openOffsets, openUnknownZone, openZone, type Zone } from '../../kit/time/zone.ts';
import { changeOfZones } from '../../kit/time/change-of-zones.ts';

/** The user's UTC offset from an instant on. Kept in the account's facts, so it is plain JSON. */
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

const pointsMax = 100;

/**
 * When in a night the clocks changed; only the offsets at both ends are known. A zone that had both tells; otherwise at 02:00 local time if
 * they differ by an hour. After a flight it is neither: the evening's offset applies until the morning.
 */
function changeIn({ start, end }: NightClock): number {
  const known = changeOfZones(start, end);
  if (known !== undefined) return known;
  const changeMs = utcMidnight(msToDay(end.ms + start.offset * 1000)) + 2 * hourMs - start.offset * 1000;
  const isHour = Math.abs(end.offset - start.offset) === 3600;
  return isHour && changeMs > start.ms && changeMs < end.ms ? changeMs : end.ms;
}

function compact(points: readonly ClockPoint[]): ClockPoint[] {
  return points.filter((point, index) => point.offset !== points[index - 1]?.offset).slice(-pointsMax);
}

/** The offsets from nights; between two nights the morning's offset applies. */
export function pointsOf(nights: readonly NightClock[]): ClockPoint[] {
  const sorted = nights.toSorted((a, b) => a.start.ms - b.start.ms);
  return sorted.flatMap((night) => [
    night.start,
    ...(night.start.offset === night.end.offset ? [] : [{ ...night.end, ms: changeIn(night) }]),
  ]);
}

/** The known points up to the first fresh one, then the fresh points. */
export function mergePoints(known: readonly ClockPoint[], fresh: readonly ClockPoint[]): ClockPoint[] {
  const [first] = fresh;
  return compact(first === undefined ? known : [...known.filter(({ ms }) => ms < first.ms), ...fresh]);
}

function isPoint(value: unknown): value is ClockPoint {
  if (typeof value !== 'object' || value === null || !('ms' in value) || !('offset' in value)) return false;
  return Number.isSafeInteger(value.ms) && Number.isSafeInteger(value.offset);
}

/** The points in an account's facts; unreadable ones are skipped. */
export function knownPoints(account: Readonly<Record<string, unknown>>): readonly ClockPoint[] {
  const points = account['clock'];
  return Array.isArray(points) ? points.filter(isPoint) : [];
}

/** The user's offsets as a zone. Before the first night the user's fallback zone applies, or without one that night's offset. */
export function openClock(points: readonly ClockPoint[], fallbackTimeZone: string | null): Zone {
  const fallback = fallbackTimeZone === null ? undefined : openZone(fallbackTimeZone, 'user');
  const [first] = points;
  if (first === undefined) return fallback ?? openUnknownZone();
  const pointAt = (ms: number) => points.findLast((point) => point.ms <= ms);
  return openOffsets(
    'nights',
    (ms) => pointAt(ms)?.offset ?? fallback?.offsetAt(ms) ?? first.offset,
    (ms) => (fallback !== undefined && pointAt(ms) === undefined ? 'user' : 'provider'),
  );
}

export function readNightClock(night: JsonNode): NightClock {
  return { start: night.at('sleep_start_time').time(parseInstant), end: night.at('sleep_end_time').time(parseInstant) };
}

/** The clocks of the nights in a response of `sleep`; unreadable ones are skipped here and quarantined by their own pull. */
export function readNightClocks(body: unknown): NightClock[] {
  return body === undefined ? [] : readEach('sleep', new JsonNode(body).at('nights'), [], readNightClock);
}
