import type { ApiResponse, UserCall } from '../kit/definition/definition.ts';
import { invalid } from '../kit/parts/refusal.ts';
import type { Zone } from '../model/zone.ts';
import { isDate } from '../model/calendar.ts';

const pageSizeDefault = 25;
const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** An item of a feed, with the local dates by which feeds are requested. */
export interface FeedItem {
  readonly date: string;
  readonly modifiedDate: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** `Thu, 7 Oct 2010 16:02:13`: a local time without a zone. */
export function textAt(zone: Zone, ms: number): string {
  const { date, minute, second } = zone.toLocal(ms);
  const [year, month, day] = date.split('-').map(Number);
  const clock = [Math.floor(minute / 60), minute % 60, second].map((part) => String(part).padStart(2, '0')).join(':');
  return `${weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()]}, ${day} ${months[(month ?? 1) - 1]} ${year} ${clock}`;
}

function dateOf({ query }: UserCall, name: string, otherwise: string): string {
  const given = query.get(name) ?? otherwise;
  if (!isDate(given)) throw invalid(`Invalid ${name}`);
  return given;
}

/** One page of the items in the range, newest first. The last page has no `next`, or an empty one. */
export function feed(call: UserCall, items: readonly FeedItem[]): ApiResponse {
  const first = dateOf(call, 'noEarlierThan', '0001-01-01');
  const last = dateOf(call, 'noLaterThan', '9999-12-31');
  const modifiedFirst = dateOf(call, 'modifiedNoEarlierThan', '0001-01-01');
  const modifiedLast = dateOf(call, 'modifiedNoLaterThan', '9999-12-31');
  const size = Number(call.query.get('pageSize') ?? pageSizeDefault);
  const page = Number(call.query.get('page') ?? 0);
  if (!Number.isInteger(size) || size < 1 || !Number.isInteger(page) || page < 0) throw invalid('Invalid page');
  const isWanted = ({ date, modifiedDate }: FeedItem) =>
    date >= first && date <= last && modifiedDate >= modifiedFirst && modifiedDate <= modifiedLast;
  const found = items.filter(isWanted).toReversed();
  const hasMore = (page + 1) * size < found.length;
  const pathOf = (number: number) => {
    const query = new URLSearchParams(call.query);
    query.set('page', String(number));
    return `${call.path}?${query.toString()}`;
  };
  return {
    body: {
      size: found.length,
      items: found.slice(page * size, (page + 1) * size).map(({ body }) => body),
      ...(page > 0 && { previous: pathOf(page - 1) }),
      ...(hasMore ? { next: pathOf(page + 1) } : page > 0 && { next: '' }),
    },
  };
}
