import { isAppError } from '@pulsewire/kernel';
import { classifyByStatus } from '../kit/connector-defaults.ts';
import { addDays, eachDay } from '../kit/time/days.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { googleProjectFault, googleReasons } from '../kit/http/google-error.ts';
import { collectPages } from '../kit/http/collect-pages.ts';
import { mayBeCut } from '../kit/records/complete-ranges.ts';
import { providerError } from '../kit/http/provider-error.ts';
import { readPages } from '../kit/http/read-pages.ts';
import type { JudgedResponse, ProviderHttp, ProviderResponse, ProviderVerdict, PullWindow } from '../kit/types/connector.ts';

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

/**
 * The window with more days at both ends. Complete ranges of samples keep a distance from days whose offsets are unknown: with a day more
 * the whole window is complete.
 */
export function widen(window: PullWindow, days: number): PullWindow {
  return { ...window, startDate: addDays(window.startDate, -days), endDate: addDays(window.endDate, days) };
}

/** An empty page may have a following one. */
export function nextPageToken({ body }: ProviderResponse): string | null {
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
    next: nextPageToken,
  });
}

function civilDate(day: string) {
  const [year, month, date] = day.split('-').map(Number);
  return { date: { year, month, day: date } };
}

/** The days of one call for totals: some types are limited to 14, and it is disputed whether the end of the range counts. */
export const totalDaysMax = 13;

/** All totals of a data type, and whether they are certain to be all. */
export interface DailyTotals {
  readonly pages: readonly [ProviderResponse, ...ProviderResponse[]];
  readonly isWhole: boolean;
}

/**
 * Totals of a data type by local day, newest first; days without data are missing. By some sources the end of the range counts, so one total
 * more than days is asked for, which the caller drops: with fewer, the oldest day would be cut off and look deleted.
 */
export async function readDailyTotals(http: ProviderHttp, type: string, window: PullWindow): Promise<DailyTotals> {
  const size = eachDay(window).length + 1;
  const range = { start: civilDate(window.startDate), end: civilDate(addDays(window.endDate, 1)) };
  const read = (pageToken: string) => {
    const json = { range, windowSizeDays: 1, pageSize: size, ...(pageToken !== '' && { pageToken }) };
    return http.post(`/v4/users/me/dataTypes/${type}/dataPoints:dailyRollUp`, { json, isRead: true });
  };
  const pages: ProviderResponse[] = [];
  for await (const page of readPages({ first: '', read, next: nextPageToken })) pages.push(page);
  const [first, ...others] = pages;
  if (first === undefined) throw providerError('provider_transient', { reason: 'no_pages' });
  const last = new JsonNode(pages.at(-1)?.body).at('rollupDataPoints').itemsOrNone();
  return { pages: [first, ...others], isWhole: !mayBeCut(last.length, size) };
}

const notOffered = 'not_offered';

/**
 * The result of a call for one of several data types; null when Google documents that it is not offered, or the user did not grant its scope,
 * so that the others continue. Any other refusal is an error: without a value, totals that exist would be stored as null.
 */
export async function ifOffered<T>(call: () => Promise<T>): Promise<T | null> {
  try {
    return await call();
  } catch (error) {
    if (!isAppError(error)) throw error;
    const { status, reason } = error.details;
    if (error.code !== 'provider_scope_missing' && reason !== notOffered && status !== 404) throw error;
    return null;
  }
}

/** Pages of points by data type. */
export type Bodies = Readonly<Partial<Record<string, readonly unknown[]>>>;

interface CollectedTypes {
  readonly bodies: Bodies;
  /** The oldest. */
  readonly version: bigint;
}

type TypeQuery = Omit<PointsQuery, 'window'>;

/** All pages of several types. The first must be offered; another one that is not has no data. */
export async function collectTypes(
  http: ProviderHttp,
  [first, ...others]: readonly [TypeQuery, ...TypeQuery[]],
  window: PullWindow,
): Promise<CollectedTypes | null> {
  const collect = (query: TypeQuery) => collectPages(readPoints(http, { ...query, window }));
  const found = [{ type: first.type, pages: await collect(first) }];
  for (const query of others) found.push({ type: query.type, pages: await ifOffered(() => collect(query)) });
  const versions = found.flatMap(({ pages }) => (pages === null ? [] : [pages.version])).toSorted((a, b) => (a < b ? -1 : 1));
  const [version] = versions;
  if (version === undefined) return null;
  return { bodies: Object.fromEntries(found.map(({ type, pages }) => [type, pages?.bodies ?? []])), version };
}

/**
 * What Google documents for a data type that does not have an operation: 404, or a 400 that names the type or the operation. The code of the
 * latter is not known. A 400 with a reason of its own is our request.
 */
function isNotOffered({ status, body }: JudgedResponse, reasons: readonly string[]): boolean {
  if (status === 404) return true;
  if (status !== 400) return false;
  if (reasons.length > 0) return reasons.includes('INVALID_PARENT_DATA_TYPE_COLLECTION');
  const { value: message } = new JsonNode(body).at('error').at('message');
  return typeof message === 'string' && /data ?type|operation|not supported|unsupported/i.test(message.slice(0, 500));
}

/**
 * Google's error model. An account without a Google Health profile, or one that still signs in with Fitbit, is refused with a 400 or,
 * in older wording, with a 403 that names no reason: the connection stays and is tried again at long intervals.
 */
export function classifyGoogleHealth(response: JudgedResponse): ProviderVerdict {
  const reasons = googleReasons(response.body);
  if (reasons.includes('ACCOUNT_NOT_LINKED')) return { code: 'provider_account_state', details: { reason: 'account_not_linked' } };
  if (isNotOffered(response, reasons)) return { code: 'provider_permanent', details: { reason: notOffered } };
  if (response.status !== 403) return classifyByStatus(response);
  const fault = googleProjectFault(response.body);
  if (fault !== null) return fault;
  // The second form is the response of a server in front of the API.
  const isScope =
    reasons.includes('ACCESS_TOKEN_SCOPE_INSUFFICIENT') || new JsonNode(response.body).at('error').value === 'insufficient_scope';
  if (reasons.includes('RATE_LIMIT_EXCEEDED')) return { code: 'provider_rate_limited' };
  return { code: isScope ? 'provider_scope_missing' : 'provider_account_state' };
}
