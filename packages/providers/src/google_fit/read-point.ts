import type { OffsetOrigin, Quarantined } from '@pulsewire/contract';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import { msToDay } from '../kit/time/days.ts';
import { JsonNode, readEach } from '../kit/values/json-node.ts';
import { appSource, mergedSource } from './google-fit.ts';

/** An instant with the offset of the user's clocks and the local day. Google states neither: both come from the user's zone. */
export interface LocalTime {
  readonly ms: number;
  /** Seconds east of UTC; null when the user's zone is unknown. */
  readonly offset: number | null;
  readonly offsetFrom: OffsetOrigin;
  readonly day: string;
}

export function localTime(ms: number, context: RecordMaker): LocalTime {
  const zone = context.zoneOn(msToDay(ms));
  return { ms, offset: zone.offsetAt(ms), offsetFrom: zone.originAt(ms), day: zone.dayOf(ms) };
}

/** Instants after the year 2199 and before 1970 are damaged. */
const msMax = 7_258_118_400_000;

function checked(node: JsonNode, ms: number): number {
  if (!(ms >= 0 && ms <= msMax)) throw node.fail('bad_time');
  return ms;
}

/** Milliseconds, as text or number. */
export function readMillis(node: JsonNode): number {
  return checked(node, Math.floor(node.number()));
}

const digits = /^\d{1,20}$/;

/** Nanoseconds as text, whose 19 digits a double would round. Returns milliseconds. */
function readNanos(node: JsonNode): number {
  const text = node.id();
  if (!digits.test(text)) throw node.fail('bad_time');
  return checked(node, Number(BigInt(text) / 1_000_000n));
}

export interface PointTimes {
  readonly startMs: number;
  readonly endMs: number;
}

export function readTimes(point: JsonNode): PointTimes {
  const startMs = readNanos(point.at('startTimeNanos'));
  const endMs = readNanos(point.at('endTimeNanos'));
  if (endMs < startMs) throw point.at('endTimeNanos').fail('bad_time');
  return { startMs, endMs };
}

/** The value at a place in the list of a point: one of three members is filled, and none when the field has no value. */
export function valueAt(point: JsonNode, index: number): JsonNode {
  return point.at('value').itemsOrNone()[index] ?? new JsonNode(undefined, point.at('value'), index);
}

/** A number of a point; null when the field has no value. */
export function numberAt(point: JsonNode, index: number): number | null {
  const value = valueAt(point, index);
  const number = value.at('fpVal').isMissing ? value.at('intVal') : value.at('fpVal');
  return number.optional((node) => node.number());
}

/** As `numberAt`, for values that cannot be below zero. */
export function amountAt(point: JsonNode, index: number): number | null {
  const amount = numberAt(point, index);
  if (amount !== null && amount < 0) throw valueAt(point, index).fail('bad_number');
  return amount;
}

/** The stream from which a merged point was taken; empty when Google does not name it. */
export function originOf(point: JsonNode): string {
  const { value } = point.at('originDataSourceId');
  return typeof value === 'string' ? value : '';
}

/** A reading that was typed in is an app's; of any other reading, the merged stream does not state what kind of device measured it. */
export function readSourceType(point: JsonNode): string {
  return originOf(point).endsWith(':user_input') ? appSource : mergedSource;
}

const packageName = /^[A-Za-z]\w*(?:\.\w+)+$/;
const googlePlayServices = 'com.google.android.gms';

/** The app that wrote a point, by its package name; null for points that Google computed. */
export function readAppId(point: JsonNode): string | null {
  const writer = originOf(point).split(':')[2] ?? '';
  return packageName.test(writer) && writer !== googlePlayServices ? writer : null;
}

/** Reads each item of a list that is missing when it is empty. */
export function readEachIn<T>(
  resource: string,
  body: unknown,
  key: string,
  quarantined: Quarantined[],
  read: (item: JsonNode) => T | undefined,
): T[] {
  const list = new JsonNode(body).at(key);
  const isEmpty = list.isMissing && typeof body === 'object' && body !== null && !Array.isArray(body);
  return isEmpty ? [] : readEach(resource, list, quarantined, read);
}

/** Reads each point of a data set. */
export function readEachPoint<T>(
  resource: string,
  body: unknown,
  quarantined: Quarantined[],
  read: (point: JsonNode) => T | undefined,
): T[] {
  return readEachIn(resource, body, 'point', quarantined, read);
}
