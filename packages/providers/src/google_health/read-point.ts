import type { OffsetOrigin, Quarantined } from '@pulsewire/contract';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { msToDay } from '../kit/time/days.ts';
import { parseInstant } from '../kit/time/time.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';

/** An instant with the offset of the user's clocks, and the local day there. */
export interface PointTime {
  readonly ms: number;
  readonly offset: number | null;
  readonly offsetFrom: OffsetOrigin;
  readonly day: string;
}

export interface PointInterval {
  readonly start: PointTime;
  readonly end: PointTime;
}

const durationPattern = /^(-?\d{1,9})(?:\.\d{1,9})?s$/;

/** A duration such as `7200s` or `-18000s`, in whole seconds. */
export function readSeconds(node: JsonNode): number {
  const seconds = durationPattern.exec(node.text())?.[1];
  if (seconds === undefined) throw node.fail('bad_number');
  return Number(seconds) === 0 ? 0 : Number(seconds);
}

const clockPattern = /^([+-])(\d{2}):(\d{2})$/;

/** Seconds east of UTC. Google documents a duration; responses with `-07:00` were recorded as well. */
function readOffset(node: JsonNode): number {
  const [, sign, hours, minutes] = clockPattern.exec(node.text()) ?? [];
  if (sign === undefined) return readSeconds(node);
  const seconds = Number(hours) * 3600 + Number(minutes) * 60;
  return seconds === 0 ? 0 : seconds * (sign === '-' ? -1 : 1);
}

/** Whether an offset of zero is one, or what Google sends for an offset that it does not know. */
export type ZeroOffset = 'stated' | 'unknown';

/** Points that reached Google through Health Connect have no offset: the zone of the account then supplies it. */
function readTime(instant: JsonNode, offset: JsonNode, context: RecordMaker, zero: ZeroOffset): PointTime {
  const { ms } = instant.time(parseInstant);
  const seconds = offset.optional(readOffset);
  if (seconds !== null && (seconds !== 0 || zero === 'stated'))
    return { ms, offset: seconds, offsetFrom: 'value', day: msToDay(ms + seconds * 1000) };
  const zone = context.zoneOn(msToDay(ms));
  return { ms, offset: zone.offsetAt(ms), offsetFrom: zone.originAt(ms), day: zone.dayOf(ms) };
}

/** The `interval` of a point of an interval or session type. */
export function readInterval(value: JsonNode, context: RecordMaker, zero: ZeroOffset = 'stated'): PointInterval {
  const interval = value.at('interval');
  const start = readTime(interval.at('startTime'), interval.at('startUtcOffset'), context, zero);
  const end = readTime(interval.at('endTime'), interval.at('endUtcOffset'), context, zero);
  if (end.ms < start.ms) throw interval.at('endTime').fail('bad_time');
  return { start, end };
}

/** True for a session under way: it is listed without an end, and becomes a record when it has one. */
export function isUnderWay(value: JsonNode): boolean {
  const interval = value.at('interval');
  return !interval.at('startTime').isMissing && interval.at('endTime').isMissing;
}

/** The `sampleTime` of a point of a sample type. */
export function readSampleTime(value: JsonNode, context: RecordMaker): PointTime {
  const time = value.at('sampleTime');
  return readTime(time.at('physicalTime'), time.at('utcOffset'), context, 'stated');
}

/** A civil date, `{ year, month, day }`, as `YYYY-MM-DD`. */
export function readCivilDate(date: JsonNode): string {
  const part = (key: string, length: number) => String(date.at(key).amount()).padStart(length, '0');
  const text = `${part('year', 4)}-${part('month', 2)}-${part('day', 2)}`;
  if (parseInstant(`${text}T00:00:00Z`) === undefined) throw date.fail('bad_time');
  return text;
}

/** The id at the end of a resource name. */
export function readLastSegment(node: JsonNode): string {
  const name = node.text();
  const id = name.slice(name.lastIndexOf('/') + 1);
  if (id === '') throw node.fail('unknown_shape');
  return id;
}

/** The id of an identifiable point. */
export const readPointId = (point: JsonNode): string => readLastSegment(point.at('name'));

/** A number; null when it is missing or the text `NaN`, which Google sends for temperatures that it cannot state yet. */
export function readReal(node: JsonNode): number | null {
  return node.value === 'NaN' ? null : node.optional((value) => value.number());
}

/** Reads each point of a page. With nothing to show, Google leaves the list out. */
export function readEachPoint<T>(
  resource: string,
  body: unknown,
  quarantined: Quarantined[],
  read: (point: JsonNode) => T | undefined,
  key = 'dataPoints',
): T[] {
  const list = new JsonNode(body).at(key);
  const isEmpty = list.isMissing && typeof body === 'object' && body !== null && !Array.isArray(body);
  return isEmpty ? [] : readEach(resource, list, quarantined, read);
}
