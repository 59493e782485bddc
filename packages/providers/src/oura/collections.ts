import { addDays, dayToMs } from '../kit/time/days.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { readPages } from '../kit/http/read-pages.ts';
import type { ProviderResponse, ProviderHttp, PullWindow } from '../kit/types/connector.ts';

const root = '/v2/usercollection';

function nextToken({ body }: ProviderResponse): string | null {
  const token = new JsonNode(body).at('next_token').value;
  return typeof token === 'string' && token !== '' ? token : null;
}

/** Pages of a collection. Only the first request sends `query`; later ones send the page token instead. */
function pages(http: ProviderHttp, collection: string, query: Readonly<Record<string, string>>): AsyncGenerator<ProviderResponse> {
  return readPages<Readonly<Record<string, string>>>({
    first: query,
    read: (requested) => http.get(`${root}/${collection}`, requested),
    next: (response) => {
      const token = nextToken(response);
      return token === null ? null : { next_token: token };
    },
  });
}

/**
 * A collection of days, page by page. Some collections take the end as exclusive, and `sleep` leaves out the first day (or, by
 * older reports, a night that began on the day before it): so one more day is requested on both sides, and the mappers skip items
 * outside the window (`isWithin`).
 */
export function readDays(
  http: ProviderHttp,
  collection: string,
  { startDate, endDate }: PullWindow,
  fields?: string,
): AsyncGenerator<ProviderResponse> {
  const query = { start_date: addDays(startDate, -1), end_date: addDays(endDate, 1), ...(fields === undefined ? {} : { fields }) };
  return pages(http, collection, query);
}

/** A collection of instants, page by page. Both ends in ms since the epoch. */
export function readInstants(http: ProviderHttp, collection: string, fromMs: number, toMs: number): AsyncGenerator<ProviderResponse> {
  const text = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z');
  return pages(http, collection, { start_datetime: text(fromMs), end_datetime: text(toMs) });
}

/** One document. */
export function readDocument(http: ProviderHttp, collection: string, documentId: string): Promise<ProviderResponse> {
  return http.get(`${root}/${collection}/${encodeURIComponent(documentId)}`);
}

/** The day of a document that was requested by its id; null when it contains none. */
export function dayOfDocument({ body }: ProviderResponse, key = 'day'): string | null {
  const day = new JsonNode(body).at(key).value;
  return typeof day === 'string' && dayToMs(day) !== undefined ? day : null;
}

/** A response of one document in the form of a list, so that one mapper reads both. */
export function asList({ body }: ProviderResponse): unknown {
  return { data: [body] };
}
