import { readPages } from '../../kit/http/read-pages.ts';
import { JsonNode } from '../../kit/values/json-node.ts';
import type { ProviderHttp, ProviderResponse, PullWindow } from '../../kit/types/connector.ts';
import { mediaType } from '../runkeeper.ts';

const pageSize = '100';
const pagesMax = 50;

/** The pages of a feed on these local days, newest first. Each call goes through `judge`, which may change its error. */
export function readFeed(
  http: ProviderHttp,
  path: string,
  name: string,
  window: PullWindow,
  judge: (call: Promise<ProviderResponse>) => Promise<ProviderResponse> = (call) => call,
): AsyncGenerator<ProviderResponse> {
  const query = { noEarlierThan: window.startDate, noLaterThan: window.endDate, pageSize };
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
export async function readItems(http: ProviderHttp, path: string, name: string, window: PullWindow) {
  const items: JsonNode[] = [];
  let version: bigint | null = null;
  let pages = 0;
  for await (const response of readFeed(http, path, name, window)) {
    version ??= response.version;
    pages += 1;
    items.push(...new JsonNode(response.body).at('items').items());
  }
  return { items, version: version ?? 0n, isWhole: pages === 1 };
}
