import { dayMs } from '@pulsewire/kernel';
import { addDays, dateOf, dayNumber, isDate } from '../model/calendar.ts';
import type { ApiResponse, UserCall } from '../kit/definition/definition.ts';
import { keyOf, type DataType, type Fields, type Point } from './data/data-type.ts';
import { badBody, badRequest } from './errors.ts';
import { assertFamily, pageOf } from './points.ts';
import { assertScope } from './scopes.ts';
import { civilFields, instantText } from './data/times.ts';
import { typeFor } from './types.ts';

const pageSizeDefault = 1440;
const shortTypes = ['heart-rate', 'active-minutes', 'total-calories', 'calories-in-heart-rate-zone'];
/** At the servers of these people the end of a range counts, as some public clients say, and answers name their next page. */
const inclusiveNames = 'Inclusive ';
const reachOf = ({ name }: DataType): number => (shortTypes.includes(name) ? 14 : 90);

type Body = Readonly<Record<string, unknown>>;

function objectOf(value: unknown, field: string, known: readonly string[]): Body {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw badBody(field, `Invalid value at '${field}'`);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) throw badBody(field, `Unknown name "${unknown}" at '${field}': Cannot find field.`);
  return value as Body;
}

function wholeOf(value: unknown, field: string, otherwise: number): number {
  const whole = value === undefined ? otherwise : Number(value);
  if (!Number.isInteger(whole) || whole < 1) throw badBody(field, `Invalid value at '${field}'`);
  return whole;
}

/** The date of a civil time; a day begins at midnight, so a time within it is refused. */
function dateFrom(value: unknown, field: string): string {
  const { date, time } = objectOf(value, field, ['date', 'time']);
  const { year, month, day } = objectOf(date, `${field}.date`, ['year', 'month', 'day']);
  const text = [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-');
  if (!isDate(text)) throw badBody(`${field}.date`, `Invalid value at '${field}.date'`);
  if (time !== undefined && Object.values(objectOf(time, `${field}.time`, ['hours', 'minutes', 'seconds', 'nanos'])).some(Boolean))
    throw badRequest('INVALID_ROLLUP_RANGE', 'The range must begin and end with a day');
  return text;
}

function assertReach(type: DataType, spanDays: number): void {
  if (spanDays <= 0) throw badRequest('INVALID_ROLLUP_RANGE', 'end time must be strictly larger than start time');
  if (spanDays > reachOf(type)) throw badRequest('INVALID_ROLLUP_QUERY_DURATION', `At most ${reachOf(type)} days at once`);
}

const isIn =
  (fromMs: number, toMs: number) =>
  ({ startMs }: Point) =>
    startMs >= fromMs && startMs < toMs;

function openCall(call: UserCall, known: readonly string[]): { readonly type: DataType; readonly body: Body } {
  const type = typeFor(call.params['type'], 'roll');
  assertScope(call, type.scope);
  const body = objectOf(call.json, 'body', known);
  assertFamily(typeof body['dataSourceFamily'] === 'string' ? body['dataSourceFamily'] : null);
  return { type, body };
}

const valueOf = (type: DataType, points: readonly Point[]): Fields => ({ [keyOf(type)]: type.rollup?.(points) ?? {} });

/**
 * Windows of local days, newest first, without those that have no data. More than a page are cut off: the token of the next one is new, and not
 * every server sends it.
 */
export function dailyRollUp(call: UserCall): ApiResponse {
  const { type, body } = openCall(call, ['range', 'windowSizeDays', 'pageSize', 'pageToken', 'dataSourceFamily']);
  const range = objectOf(body['range'], 'range', ['start', 'end']);
  const first = dateFrom(range['start'], 'range.start');
  const isInclusive = call.account.name.startsWith(inclusiveNames);
  const stated = dateFrom(range['end'], 'range.end');
  if (stated <= first) assertReach(type, 0);
  const end = isInclusive ? addDays(stated, 1) : stated;
  assertReach(type, dayNumber(end) - dayNumber(first));
  const size = wholeOf(body['windowSizeDays'], 'window_size_days', 1);
  const { account } = call;
  const { zone } = account.person;
  const points = type.points(account, account.person.days(first, addDays(end, -1)));
  const windows: Fields[] = [];
  for (let day = dayNumber(first); day < dayNumber(end); day += size) {
    const [startMs, endMs] = [zone.toInstant(dateOf(day), 0), zone.toInstant(dateOf(Math.min(day + size, dayNumber(end))), 0)];
    const inside = points.filter(isIn(startMs, endMs));
    if (inside.length === 0) continue;
    windows.push({ civilStartTime: civilFields(zone, startMs), civilEndTime: civilFields(zone, endMs), ...valueOf(type, inside) });
  }
  const pageSize = Math.min(reachOf(type), wholeOf(body['pageSize'], 'page_size', pageSizeDefault));
  const token = typeof body['pageToken'] === 'string' ? body['pageToken'] : null;
  const { shown, next } = pageOf(windows.toReversed(), pageSize, token);
  return { body: { ...(shown.length > 0 && { rollupDataPoints: shown }), ...(isInclusive && next !== null && { nextPageToken: next }) } };
}

function instantFrom(value: unknown, field: string): number {
  const ms = typeof value === 'string' && /T.*(?:Z|[+-]\d\d:\d\d)$/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(ms)) throw badBody(field, `Invalid value at '${field}'`);
  return ms;
}

/** Windows of a fixed length from the start of the range on. */
export function rollUp(call: UserCall): ApiResponse {
  const { type, body } = openCall(call, ['range', 'windowSize', 'pageSize', 'pageToken', 'dataSourceFamily']);
  const range = objectOf(body['range'], 'range', ['startTime', 'endTime']);
  const startMs = instantFrom(range['startTime'], 'range.start_time');
  const endMs = instantFrom(range['endTime'], 'range.end_time');
  assertReach(type, (endMs - startMs) / dayMs);
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(String(body['windowSize']))?.[1];
  const windowMs = Number(seconds) * 1000;
  if (!(windowMs >= 1000)) throw badBody('window_size', "Invalid value at 'window_size'");
  const { account } = call;
  const { person } = account;
  const days = person.days(person.zone.toLocal(startMs).date, person.zone.toLocal(endMs).date);
  const inside = type.points(account, days).filter(isIn(startMs, endMs));
  const windows = Object.entries(Object.groupBy(inside, (point) => String(Math.floor((point.startMs - startMs) / windowMs))));
  const all = windows
    .map(([index, points = []]) => ({ fromMs: startMs + Number(index) * windowMs, points }))
    .toSorted((a, b) => b.fromMs - a.fromMs)
    .map(({ fromMs, points }) => ({
      startTime: instantText(fromMs),
      endTime: instantText(Math.min(endMs, fromMs + windowMs)),
      ...valueOf(type, points),
    }));
  const token = typeof body['pageToken'] === 'string' ? body['pageToken'] : null;
  const { shown, next } = pageOf(all, wholeOf(body['pageSize'], 'page_size', pageSizeDefault), token);
  return { body: { ...(shown.length > 0 && { rollupDataPoints: shown }), ...(next !== null && { nextPageToken: next }) } };
}
