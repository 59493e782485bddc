import { JsonNode } from '../kit/values/json-node.ts';
import { readPages } from '../kit/http/read-pages.ts';
import type { ProviderHttp, ProviderResponse } from '../kit/types/connector.ts';

const nextPattern = /<([^<>\s]{1,2000})>\s*;\s*rel="?next"?/;

/** The next page is named only in the `Link` header. */
function nextUrl({ headers }: ProviderResponse): string | null {
  return nextPattern.exec((headers['link'] ?? '').slice(0, 8000))?.[1] ?? null;
}

/** The pages of a collection. */
export function readItemPages(http: ProviderHttp, path: string): AsyncGenerator<ProviderResponse> {
  return readPages<string>({ first: path, read: (url) => http.get(url), next: nextUrl });
}

/** The list of a page; a single entry, which comes wrapped in `item`, as a list of one. */
export function itemsOf(body: unknown): JsonNode {
  const root = new JsonNode(body);
  const item = root.at('item');
  return item.isMissing ? root.at('items') : new JsonNode([item.value]);
}
