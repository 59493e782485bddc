import type { OffsetOrigin } from '@pulsewire/contract';
import { msToDay } from '../kit/time/days.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import { parseInstant, parseWallClock } from '../kit/time/time.ts';
import type { DexcomContext } from './dexcom.ts';

export interface DexcomTime {
  readonly ms: number;
  /** Seconds east of UTC; null when it cannot be determined. */
  readonly offset: number | null;
  readonly offsetFrom: OffsetOrigin;
  /** Local day. */
  readonly day: string;
}

interface Clock {
  /** The digits of the clock, read as if they were UTC. */
  readonly wallMs: number;
  /** null: the time has no offset. */
  readonly offset: number | null;
}

const pattern =
  /^(\d{4})-(\d{1,2})-(\d{1,2})[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2})(\.\d{1,9})?)?(?:(Z)|([+-])(\d{1,2})(?::?(\d{2})(?::?(\d{2}))?)?)?$/;
const quarterSeconds = 900;
const offsetMax = 14 * 3600;

const padded = (digits: string | undefined): string => (digits ?? '0').padStart(2, '0');

/**
 * Parses Dexcom's irregular times: without padding, seconds or offset, or with offsets such as `-04` and `-04:00:29`. Undefined for
 * anything else.
 */
export function parseDexcomTime(text: string): Clock | undefined {
  const match = pattern.exec(text.trim());
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', utc, sign, hours, minutes, seconds] = match;
  const local = `${year}-${padded(month)}-${padded(day)}T${padded(hour)}:${padded(minute)}:${padded(second)}${fraction}`;
  const wallMs = parseWallClock(local);
  if (wallMs === undefined) return undefined;
  if (utc === undefined && sign === undefined) return { wallMs, offset: null };
  const instant = parseInstant(`${local}${utc ?? `${sign}${padded(hours)}:${padded(minutes)}`}`);
  if (instant === undefined || Number(seconds ?? 0) > 59) return undefined;
  return { wallMs, offset: instant.offset + Number(`${sign ?? ''}${seconds ?? 0}`) || 0 };
}

/** Rounds to a quarter of an hour, as time zones are: the rest is the error of a device's clock. Never returns minus zero. */
function wholeOffset(seconds: number): number {
  return Math.round(seconds / quarterSeconds) * quarterSeconds || 0;
}

/**
 * The instant of a record, and the offset of the user's clocks if it can be determined. Phones write the offset; receivers write two
 * bare clocks whose difference is the offset, unless the receiver's own clock was never set.
 */
export function readClocks(record: JsonNode): Pick<DexcomTime, 'ms' | 'offset'> {
  const system = record.at('systemTime').time(parseDexcomTime);
  const display = record.at('displayTime').optional((node) => node.time(parseDexcomTime));
  const ms = system.wallMs - (system.offset ?? 0) * 1000;
  if (display === null) return { ms, offset: null };
  if (display.offset !== null) return { ms, offset: wholeOffset(display.offset) };
  const offset = wholeOffset((display.wallMs - ms) / 1000);
  return { ms, offset: Math.abs(offset) > offsetMax ? null : offset };
}

/** As `readClocks`, with the local day; uses the user's zone when the record contains no offset. */
export function readTime(record: JsonNode, context: DexcomContext): DexcomTime {
  const { ms, offset } = readClocks(record);
  if (offset !== null) return { ms, offset, offsetFrom: 'value', day: msToDay(ms + offset * 1000) };
  const zone = context.zoneOn(msToDay(ms));
  return { ms, offset: zone.offsetAt(ms), offsetFrom: zone.originAt(ms), day: zone.dayOf(ms) };
}
