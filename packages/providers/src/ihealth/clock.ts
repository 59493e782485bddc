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

/** When a reading was taken: newer items also have it as text, which is preferred. */
export function measuredAt(item: JsonNode, context: RecordMaker): Moment {
  const { value } = item.at('measurement_time');
  const wallMs = typeof value === 'string' ? parseWallClock(value) : undefined;
  const offset = offsetOf(item.at('time_zone'));
  if (wallMs !== undefined && offset !== null) return momentAt(wallMs, offset, context);
  return momentOf(item.at('MDate'), item, context);
}
