import { JsonNode } from '../kit/values/json-node.ts';
import { readPages } from '../kit/http/read-pages.ts';
import { addDays } from '../kit/time/days.ts';
import type { RecordMaker } from '../kit/records/record-maker.ts';
import type { Stretch } from '../kit/records/complete-ranges.ts';
import type { ProviderHttp, ProviderResponse, PullWindow } from '../kit/types/connector.ts';
import { ifRecorded } from './classify.ts';

const me = '/fitness/v1/users/me';
const nanosPerMs = 1_000_000n;

/** The local days of a window as instants. The user's zone is the same on all days: Google states none. */
export function stretchOf({ startDate, endDate }: PullWindow, context: RecordMaker): Stretch {
  const zone = context.zoneOn(startDate);
  return { fromMs: zone.startOfDay(startDate).ms, toMs: zone.startOfDay(addDays(endDate, 1)).ms };
}

const nanos = (ms: number): string => String(BigInt(ms) * nanosPerMs);

/** Absent and repeated tokens both mean that there is no further page. */
export function followingToken({ body }: ProviderResponse, current: string): string | null {
  const token = new JsonNode(body).at('nextPageToken').value;
  return typeof token === 'string' && token !== '' && token !== current ? token : null;
}

/**
 * The points of a stream that overlap a stretch of time, page by page; no page when the user has no such stream. No page size is
 * requested: some servers ignored the token of the next page when one was.
 */
export async function* readPoints(http: ProviderHttp, stream: string, { fromMs, toMs }: Stretch): AsyncGenerator<ProviderResponse> {
  const path = `${me}/dataSources/${encodeURIComponent(stream)}/datasets/${nanos(fromMs)}-${nanos(toMs)}`;
  const first = await ifRecorded(() => http.get(path));
  if (first === null) return;
  yield* readPages<string>({
    first: '',
    read: (token) => (token === '' ? Promise.resolve(first) : http.get(path, { pageToken: token })),
    next: followingToken,
  });
}

/** A data type, or one stream of it. */
export type Aggregated = { readonly dataTypeName: string } | { readonly dataSourceId: string };

/** How the totals are cut: by local day, or one total for the whole stretch. */
export type Buckets = { readonly timeZoneId: string } | 'whole';

/**
 * Totals of one data type; one bucket for each local day, or one in all. One type per call, because a type that the user does not have
 * makes Google refuse all others of the same call. At most 90 days.
 */
export function readTotals(http: ProviderHttp, by: Aggregated, { fromMs, toMs }: Stretch, buckets: Buckets): Promise<ProviderResponse> {
  const bucketByTime =
    buckets === 'whole' ? { durationMillis: toMs - fromMs } : { period: { type: 'day', value: 1, timeZoneId: buckets.timeZoneId } };
  const json = { aggregateBy: [by], bucketByTime, startTimeMillis: fromMs, endTimeMillis: toMs };
  return http.post(`${me}/dataset:aggregate`, { json, isRead: true });
}

/**
 * The sessions that end in a stretch of time, all of them in one response: a list by time has no pages, although it may name a token.
 */
export function readSessions(http: ProviderHttp, { fromMs, toMs }: Stretch, activityType?: number): Promise<ProviderResponse> {
  return http.get(`${me}/sessions`, {
    startTime: new Date(fromMs).toISOString(),
    endTime: new Date(toMs).toISOString(),
    ...(activityType !== undefined && { activityType: String(activityType) }),
  });
}

const isEmptyList = (value: unknown): boolean => !Array.isArray(value) || value.length === 0;

/**
 * The sessions that were changed or deleted in the last 30 days, page by page. Every page names a token, the last one too: the reading
 * ends with an empty page or a repeated token.
 */
export function readChangedSessions(http: ProviderHttp): AsyncGenerator<ProviderResponse> {
  return readPages<string>({
    first: '',
    read: (token) => http.get(`${me}/sessions`, { includeDeleted: 'true', ...(token !== '' && { pageToken: token }) }),
    next(response, token) {
      const body = new JsonNode(response.body);
      const isLast = isEmptyList(body.at('session').value) && isEmptyList(body.at('deletedSession').value);
      return isLast ? null : followingToken(response, token);
    },
  });
}
