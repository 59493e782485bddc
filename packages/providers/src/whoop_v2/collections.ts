import { readUnlessMissing } from '../kit/http/read-optional.ts';
import { addDays } from '../kit/time/days.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { readPages } from '../kit/http/read-pages.ts';
import type { ProviderResponse, ProviderHttp, PullWindow } from '../kit/types/connector.ts';

const recordsPerPage = '25';
/** Days requested around a window: offsets shift up to a day in both directions, and a night begins on the day before. */
const marginDays = 2;

/**
 * The records of a collection around a window, page by page, newest first. It returns more than the window, because only the
 * offset in a record determines its local day: the mappers skip the others (`isWithin`).
 */
export function readCollection(http: ProviderHttp, path: string, { startDate, endDate }: PullWindow): AsyncGenerator<ProviderResponse> {
  const question = {
    limit: recordsPerPage,
    start: `${addDays(startDate, -marginDays)}T00:00:00.000Z`,
    end: `${addDays(endDate, marginDays)}T00:00:00.000Z`,
  };
  return readPages<string>({
    first: '',
    read: (token) => http.get(path, token === '' ? question : { ...question, nextToken: token }),
    // The query parameter is `nextToken`, the response field `next_token`.
    next: ({ body }) => {
      const token = new JsonNode(body).at('next_token').value;
      return typeof token === 'string' && token !== '' ? token : null;
    },
  });
}

/** One object; null when it is deleted or does not exist yet. */
export const readObject = (http: ProviderHttp, path: string): Promise<ProviderResponse | null> => readUnlessMissing(http, path);

/** A response of one object in the form of a page, so that one mapper reads both. */
export function asPage({ body }: ProviderResponse): unknown {
  return { records: [body] };
}

/** The version of a page of several responses: that of the oldest. */
export function oldestOf(version: bigint, ...others: readonly (bigint | null)[]): bigint {
  return others.reduce<bigint>((oldest, other) => (other !== null && other < oldest ? other : oldest), version);
}
