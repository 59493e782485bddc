import { addDays } from '../model/calendar.ts';
import type { ApiResponse, UserCall } from '../kit/definition/definition.ts';
import { RefusalError } from '../kit/parts/refusal.ts';
import { unionOf, type DataType, type Fields, type Point } from './data/data-type.ts';
import { badRequest } from './errors.ts';
import { datesOf, isInFilter, readFilter } from './filter.ts';
import { assertScope } from './scopes.ts';
import { typeFor } from './types.ts';

const pageSizeDefault = 1440;
/** Pages were observed to stop here, whatever was requested. */
const pageSizeMax = 5000;
const sessionPageSize = 25;
/** Lists of sessions without a filter reach back so far. */
const unfilteredDays = 30;

const families = ['all-sources', 'google-wearables', 'google-sources'].map((name) => `users/me/dataSourceFamilies/${name}`);

export function assertFamily(family: string | null): void {
  if (family !== null && !families.includes(family)) throw badRequest('INVALID_DATA_POINT_DATA_SOURCE_FAMILY', `Unknown family ${family}`);
}

interface Place {
  readonly from: number;
  /** A page without points, whose token leads to the same place. */
  readonly isEmpty: boolean;
}

const tokenOf = ({ from, isEmpty }: Place): string => Buffer.from(`${isEmpty ? 'e' : 'p'}${from}`).toString('base64url');

function placeOf(token: string | null): Place {
  if (token === null || token === '') return { from: 0, isEmpty: false };
  const [, kind, from] = /^([ep])(\d+)$/.exec(Buffer.from(token, 'base64url').toString()) ?? [];
  if (from === undefined) throw badRequest('INVALID_PAGE_TOKEN', 'The page token is invalid');
  return { from: Number(from), isEmpty: kind === 'e' };
}

/** One page, and the token of the next; after the first page comes an empty one that has a token too. */
export function pageOf<T>(
  all: readonly T[],
  size: number,
  token: string | null,
): { readonly shown: readonly T[]; readonly next: string | null } {
  const { from, isEmpty } = placeOf(token);
  if (isEmpty) return { shown: [], next: tokenOf({ from, isEmpty: false }) };
  const to = from + size;
  return { shown: all.slice(from, to), next: to < all.length ? tokenOf({ from: to, isEmpty: from === 0 }) : null };
}

function pageSizeOf({ query }: UserCall, { name }: DataType): number {
  const requested = Number(query.get('pageSize') ?? pageSizeDefault);
  if (!Number.isInteger(requested) || requested < 0) throw badRequest('INVALID_PAGE_SIZE', 'The page size is invalid');
  const max = name === 'sleep' || name === 'exercise' ? sessionPageSize : pageSizeMax;
  return Math.min(max, requested === 0 ? pageSizeDefault : requested);
}

/** Newest first. */
function pointsFor(call: UserCall, type: DataType, isRaw: boolean): Point[] {
  const { account, query } = call;
  const { person } = account;
  const filter = readFilter(query.get('filter'), type);
  const reach = type.record === 'session' ? addDays(person.today(), -unfilteredDays) : person.firstDate;
  const { first, last } = filter ? datesOf(filter) : { first: reach, last: null };
  const days = person.days(first === null ? person.firstDate : addDays(first, -1), last === null ? person.today() : addDays(last, 1));
  const all = [...type.points(account, days), ...(isRaw ? (type.otherSources?.(account, days) ?? []) : [])];
  const meant = all.filter((point) => filter === null || isInFilter(filter, type, point, person.zone));
  return meant.toSorted((a, b) => b.startMs - a.startMs);
}

const nameOf = (call: UserCall, type: DataType, id: string): string =>
  `users/${call.account.providerUserId}/dataTypes/${type.name}/dataPoints/${id}`;

function rawOf(call: UserCall, type: DataType, point: Point): Fields {
  const { id, source } = point;
  return {
    ...(id !== undefined && { name: nameOf(call, type, id) }),
    ...(source && { dataSource: source }),
    ...unionOf(type, call.account, point),
  };
}

function reconciledOf(call: UserCall, type: DataType, point: Point): Fields {
  const { id } = point;
  return { ...(id !== undefined && { dataPointName: nameOf(call, type, id) }), ...unionOf(type, call.account, point) };
}

function respondWithPage(call: UserCall, operation: 'list' | 'reconcile'): ApiResponse {
  const type = typeFor(call.params['type'], operation);
  assertScope(call, type.scope);
  if (operation === 'reconcile') assertFamily(call.query.get('dataSourceFamily'));
  const isRaw = operation === 'list';
  const { shown, next } = pageOf(pointsFor(call, type, isRaw), pageSizeOf(call, type), call.query.get('pageToken'));
  const dataPoints = shown.map((point) => (isRaw ? rawOf(call, type, point) : reconciledOf(call, type, point)));
  // With nothing to show the list itself is left out.
  return { body: { ...(dataPoints.length > 0 && { dataPoints }), ...(next !== null && { nextPageToken: next }) } };
}

export const list = (call: UserCall): ApiResponse => respondWithPage(call, 'list');
export const reconcile = (call: UserCall): ApiResponse => respondWithPage(call, 'reconcile');

/** A single point of a type with ids. */
export function getPoint(call: UserCall): ApiResponse {
  const type = typeFor(call.params['type'], 'get');
  assertScope(call, type.scope);
  const { account, params } = call;
  const { person } = account;
  const found = type.points(account, person.days(person.firstDate, person.today())).find(({ id }) => id === params['id']);
  if (!found) throw new RefusalError('not_found', 'Requested entity was not found.');
  return { body: rawOf(call, type, found) };
}
