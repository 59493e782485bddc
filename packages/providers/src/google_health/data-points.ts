import { addDays, eachDay } from '../kit/time/days.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { readPages } from '../kit/http/read-pages.ts';
import type { ProviderHttp, ProviderResponse, PullWindow } from '../kit/types/connector.ts';

/** Where the local time of a point is; it selects the member that the filter compares. */
export type TimeKind = 'interval' | 'sample' | 'daily' | 'session' | 'sleep' | 'ecg';

/** The server truncates larger pages silently; of sleeps and exercises it returns 25. */
const pageSize = '5000';

const members: Readonly<Record<TimeKind, string>> = {
  interval: 'interval.civil_start_time',
  sample: 'sample_time.civil_time',
  daily: 'date',
  session: 'interval.civil_start_time',
  // A sleep is found by its end; any other member is refused.
  sleep: 'interval.civil_end_time',
  ecg: 'interval.start_time',
};

/** Paths are in kebab case, members of filters in snake case, keys of the response in camel case. */
export const keyOf = (type: string): string => type.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

function filterOf(type: string, kind: TimeKind, { startDate, endDate }: PullWindow): string {
  const member = `${type.replaceAll('-', '_')}.${members[kind]}`;
  // Electrocardiograms accept a physical lower bound and nothing else: a day more covers every offset.
  if (kind === 'ecg') return `${member} >= "${addDays(startDate, -1)}T00:00:00Z"`;
  return `${member} >= "${startDate}" AND ${member} < "${addDays(endDate, 1)}"`;
}

/** An empty page may have a following one. */
function nextToken({ body }: ProviderResponse): string | null {
  const token = new JsonNode(body).at('nextPageToken').value;
  return typeof token === 'string' && token !== '' ? token : null;
}

export interface PointsQuery {
  /** Data type in kebab case. */
  readonly type: string;
  readonly kind: TimeKind;
  /** Local days. null: no filter; newest first. */
  readonly window: PullWindow | null;
  /** `reconcile`: one stream merged from all sources. Default: the points of each source. */
  readonly operation?: 'list' | 'reconcile';
}

/** The points of a data type, page by page, newest first. */
export function readPoints(http: ProviderHttp, { type, kind, window, operation = 'list' }: PointsQuery): AsyncGenerator<ProviderResponse> {
  const path = `/v4/users/me/dataTypes/${type}/dataPoints${operation === 'reconcile' ? ':reconcile' : ''}`;
  const query = { pageSize, ...(window && { filter: filterOf(type, kind, window) }) };
  return readPages<string>({
    first: '',
    read: (token) => http.get(path, token === '' ? query : { ...query, pageToken: token }),
    next: nextToken,
  });
}

function civilDate(day: string) {
  const [year, month, date] = day.split('-').map(Number);
  return { date: { year, month, day: date } };
}

/** Totals of a data type by local day. Days without data are missing. At most 14 days. */
export function readDailyTotals(http: ProviderHttp, type: string, window: PullWindow): Promise<ProviderResponse> {
  const json = {
    range: { start: civilDate(window.startDate), end: civilDate(addDays(window.endDate, 1)) },
    windowSizeDays: 1,
    pageSize: eachDay(window).length,
  };
  return http.post(`/v4/users/me/dataTypes/${type}/dataPoints:dailyRollUp`, { json, isRead: true });
}
