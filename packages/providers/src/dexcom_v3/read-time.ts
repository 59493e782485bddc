import { msToDay } from '../kit/days.ts';
import type { JsonNode } from '../kit/json-node.ts';
import { parseInstant, parseWallClock } from '../kit/time.ts';
import type { DexcomContext } from './dexcom.ts';

export interface DexcomTime {
  readonly ms: number;
  /** Seconds east of UTC; null when it cannot be told. */
  readonly offset: number | null;
  /** Local day. */
  readonly day: string;
}

interface Clock {
  /** The digits of the clock, read as if they were UTC. */
  readonly wallMs: number;
  /** null: none was written. */
  readonly offset: number | null;
}

const pattern = /^(\d{4})-(\d{1,2})-(\d{1,2})[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2})(\.\d{1,9})?)?(?:(Z)|([+-])(\d{1,2}):?(\d{2}))?$/;
const quarterMs = 900_000;
const offsetMaxMs = 14 * 3_600_000;

const padded = (digits: string | undefined): string => (digits ?? '0').padStart(2, '0');

/** Dexcom's times are untidy: without padding, seconds or offset. Undefined for what is no time at all. */
export function parseDexcomTime(text: string): Clock | undefined {
  const match = pattern.exec(text.trim());
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', utc, sign, hours, minutes] = match;
  const local = `${year}-${padded(month)}-${padded(day)}T${padded(hour)}:${padded(minute)}:${padded(second)}${fraction}`;
  const wallMs = parseWallClock(local);
  if (wallMs === undefined) return undefined;
  if (utc === undefined && sign === undefined) return { wallMs, offset: null };
  const instant = parseInstant(`${local}${utc ?? `${sign}${padded(hours)}:${minutes}`}`);
  return instant && { wallMs, offset: instant.offset };
}

/**
 * The instant of a record, and the offset of the user's clocks where it can be told. Phones write the offset; receivers write two
 * bare clocks, whose difference is the offset unless the receiver's own clock was never set.
 */
export function readClocks(record: JsonNode): Pick<DexcomTime, 'ms' | 'offset'> {
  const system = record.at('systemTime').time(parseDexcomTime);
  const display = record.at('displayTime').optional((node) => node.time(parseDexcomTime));
  const ms = system.wallMs - (system.offset ?? 0) * 1000;
  if (display === null || display.offset !== null) return { ms, offset: display?.offset ?? null };
  const differenceMs = Math.round((display.wallMs - ms) / quarterMs) * quarterMs;
  // Zero comes out as minus zero for a clock that is a little behind.
  return { ms, offset: Math.abs(differenceMs) > offsetMaxMs ? null : differenceMs / 1000 || 0 };
}

/** As `readClocks`, with the local day; where the record tells no offset the user's zone counts. */
export function readTime(record: JsonNode, context: DexcomContext): DexcomTime {
  const { ms, offset } = readClocks(record);
  if (offset !== null) return { ms, offset, day: msToDay(ms + offset * 1000) };
  const zone = context.zoneOn(msToDay(ms));
  return { ms, offset: zone.offsetAt(ms), day: zone.dayOf(ms) };
}
