import type { OffsetOrigin } from '@pulsewire/contract';
import { msToDay } from '../kit/time/days.ts';
import { parseWallClock } from '../kit/time/time.ts';
import type { JsonNode } from '../kit/values/json-node.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';

/** When something was measured. */
export interface Moment {
  readonly ms: number;
  /** Seconds east of UTC; null when unknown. */
  readonly offset: number | null;
  readonly offsetFrom: OffsetOrigin;
  /** The local day. */
  readonly day: string;
}

const offsetPattern = /^([+-]?)(\d{2}):?(\d{2})$/;
const hoursMax = 14;

/** Seconds east of UTC: `-0800`, `0800`, `+08:00`, or a number of hours; null when it is missing or implausible. */
export function offsetOf({ value }: JsonNode): number | null {
  const match = typeof value === 'string' ? offsetPattern.exec(value) : null;
  const size = match === null ? null : Number(match[2]) + Number(match[3]) / 60;
  const hours = typeof value === 'number' ? value : size === null ? null : match?.[1] === '-' ? -size : size;
  return hours === null || !Number.isFinite(hours) || Math.abs(hours) > hoursMax ? null : Math.round(hours * 3600);
}

function momentAt(wallMs: number, offset: number | null, context: RecordMaker): Moment {
  const day = msToDay(wallMs);
  if (offset !== null) return { ms: wallMs - offset * 1000, offset, offsetFrom: 'value', day };
  const zone = context.zoneOn(day);
  const found = zone.toInstant(wallMs);
  return { ms: found.ms, offset: found.offset, offsetFrom: zone.originAt(found.ms), day };
}

/** Epochs are local time written as if it were UTC, in seconds; a separate zone turns them into instants. */
export function momentOf(epoch: JsonNode, item: JsonNode, context: RecordMaker): Moment {
  return momentAt(epoch.amount() * 1000, offsetOf(item.at('TimeZone')), context);
}

/** How much later than its end an item may be stored, by clocks that differ. */
const toleranceMs = 5 * 60_000;

/** How the times of a workout were read; recorded ones are UTC, and a stored item cannot have begun later than it was stored. */
export type SportClock = 'utc' | 'wall';

/**
 * The clock of a workout's times: UTC, unlike those of all other lists. Only where its start would then lie after the item was stored, and would
 * not as local time, it is local time. That decides west of Greenwich alone; east of it both readings lie before the storage.
 */
export function sportClockOf(start: JsonNode, item: JsonNode): SportClock {
  const storedMs = item.at('LastChangeTime').optional((node) => node.amount() * 1000);
  const offset = offsetOf(item.at('TimeZone'));
  if (storedMs === null || offset === null) return 'utc';
  const utcMs = start.amount() * 1000;
  const isLate = (ms: number) => ms > storedMs + toleranceMs;
  return isLate(utcMs) && !isLate(utcMs - offset * 1000) ? 'wall' : 'utc';
}

/** A time of a workout. Its zone tells the local day. */
export function sportMoment(epoch: JsonNode, item: JsonNode, clock: SportClock, context: RecordMaker): Moment {
  if (clock === 'wall') return momentOf(epoch, item, context);
  const ms = epoch.amount() * 1000;
  const offset = offsetOf(item.at('TimeZone'));
  if (offset !== null) return { ms, offset, offsetFrom: 'value', day: msToDay(ms + offset * 1000) };
  const zone = context.zoneOn(msToDay(ms));
  return { ms, offset: zone.offsetAt(ms), offsetFrom: zone.originAt(ms), day: zone.dayOf(ms) };
}

/** When a reading was taken: newer items also have it as text, which is preferred. */
export function measuredAt(item: JsonNode, context: RecordMaker): Moment {
  const { value } = item.at('measurement_time');
  const wallMs = typeof value === 'string' ? parseWallClock(value) : undefined;
  const offset = offsetOf(item.at('time_zone'));
  if (wallMs !== undefined && offset !== null) return momentAt(wallMs, offset, context);
  return momentOf(item.at('MDate'), item, context);
}
