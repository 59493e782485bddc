import { addDays, utcMidnight } from '../kit/time/days.ts';
import { openOffsets, type Zone } from '../kit/time/zone.ts';
import type { UltrahumanDay } from './day.ts';
import type { UltrahumanContext } from './ultrahuman.ts';

const quarterSeconds = 15 * 60;
const [westMax, eastMax] = [-12 * 3600, 14 * 3600];

/** The clocks of one local day of the person. */
export interface DayZone {
  readonly zone: Zone;
  /** The first instant of the day. */
  readonly startMs: number;
  /** The first instant of the next day; null: the zone is not known, and nothing states when the day begins. */
  readonly endMs: number | null;
  /** The first instant of the day by the account's zone alone, under which its daily figures may be stored. */
  readonly formerStartMs: number;
}

/** The offset that the metrics of a day state: each names the instant of the local midnight. null where none does, or not plausibly. */
function statedOffset({ day, metrics }: UltrahumanDay): number | null {
  for (const object of metrics.values()) {
    const { value } = object.at('day_start_timestamp');
    if (typeof value !== 'number') continue;
    const offset = utcMidnight(day) / 1000 - value;
    if (Number.isInteger(offset) && offset % quarterSeconds === 0 && offset >= westMax && offset <= eastMax) return offset;
  }
  return null;
}

/**
 * The clocks of a day: as the day states them, which is right on days of travel too; as the account's zone where that begins the day at the same
 * instant, because it also knows a change of clocks within the day. A stated offset of zero may be a server's that knows no zone, so a known
 * zone counts more.
 */
export function dayZoneOf(ultrahumanDay: UltrahumanDay, context: UltrahumanContext): DayZone {
  const { day } = ultrahumanDay;
  const known = context.zoneOn(day);
  const start = known.startOfDay(day);
  const isKnown = start.offset !== null;
  const stated = statedOffset(ultrahumanDay);
  const isStated = stated !== null && (stated !== 0 || !isKnown) && start.offset !== stated;
  const next = addDays(day, 1);
  if (!isStated) {
    const endMs = isKnown ? known.startOfDay(next).ms : null;
    return { zone: known, startMs: start.ms, endMs, formerStartMs: start.ms };
  }
  const zone = openOffsets(
    'stated',
    () => stated,
    () => 'value',
  );
  return { zone, startMs: zone.startOfDay(day).ms, endMs: zone.startOfDay(next).ms, formerStartMs: start.ms };
}
