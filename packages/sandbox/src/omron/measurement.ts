import { isDate } from '../model/calendar.ts';
import type { ApiResponse, ApiRoute, UserCall } from '../kit/definition/definition.ts';
import { invalid, RefusalError } from '../kit/parts/refusal.ts';
import { activityOf, bloodPressuresOf, weightsOf, type Item } from './items.ts';

/** More than a few rows are never sent at once, whatever the limit is. */
const rowsMax = 10;

interface Kind {
  /** As requests and scopes name it. */
  readonly type: string;
  /** As responses name it. */
  readonly key: string;
  /** What continues a page, by the generation of the interface: a key of its own, one key for the whole response, or a later `since`. */
  readonly paging: 'key' | 'next_key' | 'date';
}

const kinds: readonly Kind[] = [
  { type: 'bloodpressure', key: 'bloodPressure', paging: 'key' },
  { type: 'activity', key: 'activity', paging: 'next_key' },
  { type: 'weight', key: 'weight', paging: 'date' },
];

function itemsOf({ account, form }: UserCall, { type }: Kind, since: string): Item[] {
  const { person } = account;
  const days = person.days(since, person.today());
  const items = days.flatMap((day) => {
    if (type === 'bloodpressure') return bloodPressuresOf(person, day);
    return type === 'weight' ? weightsOf(person, day) : activityOf(person, day, form.get('includeHourlyActivity') === 'true');
  });
  return form.get('sortOrder') === 'desc' ? items.toReversed() : items;
}

const keyName = ({ type }: Kind) => `${type}PaginationKey`;
/** The request's field for the key that responses call `nextPaginationKey`. */
const nextKeyName = 'paginationKey';

/** Keys are opaque: neither a number nor a date. */
const tokenOf = ({ type }: Kind, from: number): string => Buffer.from(`${type}:${from}`).toString('base64url');

/** Where a page starts. Throws a refusal for the key of another kind. */
function startOf({ form }: UserCall, kind: Kind): number {
  const token = kind.paging === 'date' ? null : form.get(kind.paging === 'key' ? keyName(kind) : nextKeyName);
  if (token === null || token === '') return 0;
  const [type, from] = Buffer.from(token, 'base64url').toString().split(':');
  if (type !== kind.type) throw invalid('Unknown pagination key');
  return Number(from);
}

/** Which kinds a request means, and which of them the user allows. */
function requestedKinds({ form, grant }: UserCall): readonly Kind[] {
  const type = form.get('type');
  if (type === null) return kinds.filter((kind) => grant.scopes.includes(kind.type));
  const kind = kinds.find((known) => known.type === type);
  if (!kind) throw invalid('Unknown type');
  if (!grant.scopes.includes(type)) throw new RefusalError('scope_missing', 'The scope was not granted');
  return [kind];
}

function respond(call: UserCall): ApiResponse {
  const since = call.form.get('since') ?? '';
  if (!isDate(since)) throw invalid('since must be YYYY-MM-DD');
  const limit = Math.min(rowsMax, Number(call.form.get('limit') ?? rowsMax));
  const pages = requestedKinds(call).map((kind) => {
    const items = itemsOf(call, kind, since);
    const from = startOf(call, kind);
    return { kind, shown: items.slice(from, from + limit), next: from + limit < items.length ? tokenOf(kind, from + limit) : null };
  });
  const keyed = pages.filter(({ kind }) => kind.paging === 'key');
  const nextKeyed = pages.find(({ kind }) => kind.paging === 'next_key');
  const result = {
    truncated: pages.some(({ next }) => next !== null),
    measurementCount: pages.reduce((sum, { shown }) => sum + shown.length, 0),
    // An empty list may be null or missing.
    ...Object.fromEntries(pages.map(({ kind, shown }) => [kind.key, shown.length === 0 ? null : shown.map(({ body }) => body)])),
    ...(keyed.length > 0 && {
      paginationKey: Object.fromEntries(keyed.map(({ kind, next }) => [keyName(kind), next])),
    }),
    ...(nextKeyed && { nextPaginationKey: nextKeyed.next }),
  };
  return { body: { status: 0, reason: null, errorCode: null, result } };
}

/** All kinds at one address. */
export const measurementRoute: ApiRoute = { kind: 'measurement', method: 'POST', path: '/measurement', auth: 'user', respond };
