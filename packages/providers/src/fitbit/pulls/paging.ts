import type { CompleteRange } from '@pulsewire/contract';
import { historyDaysMax } from '../../kit/history-depth.ts';
import { readPages } from '../../kit/http/read-pages.ts';
import { addDays, dayToMs, splitWindow } from '../../kit/time/days.ts';
import type { ProviderHttp, ProviderResponse, PullSpec, PullWindow } from '../../kit/types/connector.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import { createMapContext, pageOf, type MapContext, type Mapped } from '../context/map-context.ts';

export interface RangePull extends Pick<PullSpec, 'name' | 'resources' | 'requiredScopes' | 'chunkDays' | 'collections'> {
  path(startDate: string, endDate: string): string;
  map(body: unknown, context: MapContext): Mapped;
  /** The ranges that a response for these days covers completely; absent: none, for the reason in `deletions`. */
  allOf?(days: PullWindow, context: MapContext): readonly CompleteRange[];
  readonly deletions: NonNullable<PullSpec['deletions']>;
}

/** A pull in which one call returns a range of days and one mapper reads the response. */
export function rangePull({ path, map, allOf, ...spec }: RangePull): PullSpec {
  return {
    ...spec,
    backfillDays: 90,
    reachDays: historyDaysMax,
    rereadDays: 3,
    async *pull({ http, user, window }) {
      const context = createMapContext(user);
      for (const days of splitWindow(window, spec.chunkDays)) {
        const response = await http.get(path(days.startDate, days.endDate));
        yield pageOf(response, { ...map(response.body, context), allOf: allOf?.(days, context) ?? [] });
      }
    },
  };
}

/** Starts two days before the window: `afterDate` is exclusive and in the zone of the profile, not of the log. */
const marginDays = 2;

interface Asked {
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
}

function nextLink(body: unknown): string | null {
  const link = new JsonNode(body).at('pagination').at('next').value;
  return typeof link === 'string' && link !== '' ? link : null;
}

/** Where a list has its logs, and which key of a log has its local time. */
interface ListShape {
  readonly logs: string;
  readonly time: string;
}

/** One response of a list. */
interface ListPage {
  readonly response: ProviderResponse;
  /** The days of the window of which the response lists every log; null for none. */
  readonly complete: PullWindow | null;
}

/**
 * The days that a page covers completely. The first page begins with the window and the last one ends it. Elsewhere the day of the outer
 * log may continue on another page; and when something is deleted while pages are read, they shift, so that logs before the first one of a
 * later page may be missed.
 */
function completeDays(body: unknown, { logs, time }: ListShape, window: PullWindow, isFirst: boolean): PullWindow | null {
  const list = new JsonNode(body).at(logs).value;
  const days = (Array.isArray(list) ? list : []).map((log: unknown) => String(new JsonNode(log).at(time).value).slice(0, 10)).toSorted();
  const isLast = nextLink(body) === null;
  const [first, last] = [days[0], days.at(-1)];
  if (days.some((day) => dayToMs(day) === undefined) || (!isFirst && first === undefined)) return null;
  const startDate = isFirst ? window.startDate : addDays(first ?? window.startDate, 1);
  const endDate = isLast || last === undefined ? window.endDate : addDays(last, -1);
  const complete = {
    startDate: startDate > window.startDate ? startDate : window.startDate,
    endDate: endDate < window.endDate ? endDate : window.endDate,
  };
  return complete.startDate <= complete.endDate ? complete : null;
}

/**
 * Reads a list of logs from the window's first day on, page by page. Fitbit refuses any offset other than 0, so only its own link leads
 * to the next page. The caller stops when the logs are past the window.
 */
export async function* listPages(
  http: ProviderHttp,
  path: string,
  shape: ListShape,
  window: PullWindow,
  limit: number,
): AsyncGenerator<ListPage> {
  const responses = readPages<Asked>({
    first: { path, query: { afterDate: addDays(window.startDate, -marginDays), sort: 'asc', limit: String(limit), offset: '0' } },
    read: (requested) => http.get(requested.path, requested.query),
    next({ body }) {
      const link = nextLink(body);
      return link === null ? null : { path: link };
    },
    pagesMax: 100,
  });
  let isFirst = true;
  for await (const response of responses) {
    yield { response, complete: completeDays(response.body, shape, window, isFirst) };
    isFirst = false;
  }
}
