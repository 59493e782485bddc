import { isAppError } from '@pulsewire/kernel';
import { addDays } from '../kit/time/days.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { readPages } from '../kit/http/read-pages.ts';
import type { ProviderAnswer, ProviderHttp, PullWindow } from '../kit/types/connector.ts';

const recordsPerPage = '25';
/** Days asked for around a window: offsets reach a day in both directions, and a night begins on the day before. */
const marginDays = 2;

/**
 * The records of a collection around a window, page by page, newest first. More than the window's are given, as only the
 * offset in a record tells its local day: whoever maps leaves out the others (`isWithin`).
 */
export function readCollection(http: ProviderHttp, path: string, { startDate, endDate }: PullWindow): AsyncGenerator<ProviderAnswer> {
  const question = {
    limit: recordsPerPage,
    start: `${addDays(startDate, -marginDays)}T00:00:00.000Z`,
    end: `${addDays(endDate, marginDays)}T00:00:00.000Z`,
  };
  return readPages<string>({
    first: '',
    read: (token) => http.get(path, token === '' ? question : { ...question, nextToken: token }),
    // Asked for as `nextToken`, answered as `next_token`.
    next: ({ body }) => {
      const token = new JsonNode(body).at('next_token').value;
      return typeof token === 'string' && token !== '' ? token : null;
    },
  });
}

/** One object; null when it is gone, or not there yet. */
export async function readObject(http: ProviderHttp, path: string): Promise<ProviderAnswer | null> {
  try {
    return await http.get(path);
  } catch (error) {
    if (isAppError(error) && error.details['status'] === 404) return null;
    throw error;
  }
}

/** An answer of one object in the form of a page, so that one mapper reads both. */
export function asPage({ body }: ProviderAnswer): unknown {
  return { records: [body] };
}

/** The version of a page made of several answers: that of the oldest. */
export function oldestOf(version: bigint, ...others: readonly (bigint | null)[]): bigint {
  return others.reduce<bigint>((oldest, other) => (other !== null && other < oldest ? other : oldest), version);
}
