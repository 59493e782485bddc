import { datesBetween, isDate } from '../../model/calendar.ts';
import { invalid } from '../../kit/parts/refusal.ts';
import type { FitbitCall } from './types.ts';

export interface ListRequest {
  readonly isAscending: boolean;
  /** Local date or date and time: entries after it when ascending, before it when descending. */
  readonly border: string;
  readonly limit: number;
  /** Entries of earlier pages; only links created by the provider contain it. */
  readonly position: number;
}

/** Reads the query of a list. Throws 400 `validation` for what the provider rejects: both or neither date, another offset than 0. */
export function parseListRequest(call: FitbitCall, limitMax: number): ListRequest {
  const { query } = call;
  const [after, before] = [query.get('afterDate'), query.get('beforeDate')];
  if ((after === null) === (before === null)) throw invalid('Exactly one of afterDate and beforeDate is needed');
  const isAscending = after !== null;
  const border = (after ?? before) as string;
  if (!isDate(border.slice(0, 10)) || !/^.{10}(T\d{2}:\d{2}:\d{2})?$/.test(border))
    throw invalid('Invalid date: yyyy-MM-dd or yyyy-MM-ddTHH:mm:ss');
  if (query.get('sort') !== (isAscending ? 'asc' : 'desc')) throw invalid('sort must be asc with afterDate and desc with beforeDate');
  if (query.get('offset') !== '0') throw invalid('offset must be 0: follow pagination.next');
  const limit = Number(query.get('limit'));
  if (!Number.isInteger(limit) || limit < 1 || limit > limitMax) throw invalid(`limit must be 1 to ${limitMax}`);
  return { isAscending, border, limit, position: readCursor(query.get('cursor')) };
}

/** The dates whose entries may be in the list. */
export function listDates({ account }: FitbitCall, { isAscending, border }: ListRequest): string[] {
  const [first, last, day] = [account.firstDate, account.today(), border.slice(0, 10)];
  if (isAscending) return datesBetween(day > first ? day : first, last);
  return datesBetween(first, day < last ? day : last);
}

/** One page of `entries`, which are in ascending order, and the links to its neighbours. */
export function pageOf<T>(
  call: FitbitCall,
  request: ListRequest,
  entries: readonly T[],
  localStart: (entry: T) => string,
  pathname: string,
): { items: T[]; pagination: object } {
  const inside = entries.filter((entry) =>
    request.isAscending ? localStart(entry) >= request.border : localStart(entry) < request.border,
  );
  const ordered = request.isAscending ? inside : inside.toReversed();
  const { limit, position } = request;
  const link = (to: number) => {
    const query = new URLSearchParams(call.query);
    if (to === 0) query.delete('cursor');
    else query.set('cursor', Buffer.from(`p${to}`).toString('base64url'));
    return `${call.parts.url()}${pathname}?${query.toString()}`;
  };
  const pagination = {
    [request.isAscending ? 'afterDate' : 'beforeDate']: request.border,
    limit,
    next: position + limit < ordered.length ? link(position + limit) : '',
    offset: 0,
    previous: position > 0 ? link(Math.max(0, position - limit)) : '',
    sort: request.isAscending ? 'asc' : 'desc',
  };
  return { items: ordered.slice(position, position + limit), pagination };
}

function readCursor(text: string | null): number {
  if (text === null) return 0;
  const position = /^p(\d{1,9})$/.exec(Buffer.from(text, 'base64url').toString('utf8'))?.[1];
  if (position === undefined) throw invalid('Invalid cursor');
  return Number(position);
}
