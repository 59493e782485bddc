import { readPages } from '../../kit/http/read-pages.ts';
import { addDays } from '../../kit/time/days.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import type { ProviderHttp, ProviderResponse, PullWindow } from '../../kit/types/connector.ts';
import { mediaType } from '../runkeeper.ts';

const pageSize = '100';
const pagesMax = 50;

/** Parameters of a feed: local days, both inclusive. */
export type FeedRange = Readonly<Record<string, string>>;

export const rangeOf = ({ startDate, endDate }: PullWindow): FeedRange => ({ noEarlierThan: startDate, noLaterThan: endDate });

/** Days of which later changes are read. */
const editedDays = 365;

/** The days before a window whose later changes are read. */
export const daysBefore = (window: PullWindow): PullWindow => ({
  ...window,
  startDate: addDays(window.startDate, -editedDays),
  endDate: addDays(window.startDate, -1),
});

/** What lies before the window and was changed in it. */
export const editedIn = (window: PullWindow): FeedRange => ({
  ...rangeOf(daysBefore(window)),
  modifiedNoEarlierThan: window.startDate,
  modifiedNoLaterThan: window.endDate,
});

/** The pages of a feed in a range, newest first. Each call goes through `judge`, which may change its error. */
export function readFeed(
  http: ProviderHttp,
  path: string,
  name: string,
  range: FeedRange,
  judge: (call: Promise<ProviderResponse>) => Promise<ProviderResponse> = (call) => call,
): AsyncGenerator<ProviderResponse> {
  const query = { ...range, pageSize };
  return readPages<string>({
    first: path,
    pagesMax,
    read: (address) => judge(http.get(address, address === path ? query : undefined, { headers: mediaType(name) })),
    // Absent on the last page, or empty.
    next({ body }) {
      const { value } = new JsonNode(body).at('next');
      return typeof value === 'string' && value !== '' ? value : null;
    },
  });
}

/** All items of a feed, and whether one page held them: numbered pages may shift while they are read. */
export async function readItems(http: ProviderHttp, path: string, name: string, range: FeedRange) {
  const items: JsonNode[] = [];
  let version: bigint | null = null;
  let pages = 0;
  for await (const response of readFeed(http, path, name, range)) {
    version ??= response.version;
    pages += 1;
    items.push(...new JsonNode(response.body).at('items').items());
  }
  return { items, version: version ?? 0n, isWhole: pages === 1 };
}
