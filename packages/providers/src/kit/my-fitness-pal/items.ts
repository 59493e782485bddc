import { readPages } from '../http/read-pages.ts';
import { JsonNode } from '../values/json-node.ts';
import type { ProviderHttp, ProviderResponse, ReadOptions } from '../types/connector.ts';

/** All data is entered in the app, or sent to it by another one. */
export const app = 'app';

const nextPattern = /<([^<>\s]{1,2000})>\s*;\s*rel="?next"?/;

/** The next page is named only in the `Link` header. */
function nextUrl({ headers }: ProviderResponse): string | null {
  return nextPattern.exec((headers['link'] ?? '').slice(0, 8000))?.[1] ?? null;
}

/** The pages of a collection. */
export function readItemPages(http: ProviderHttp, path: string, options?: ReadOptions): AsyncGenerator<ProviderResponse> {
  return readPages<string>({ first: path, read: (url) => http.get(url, undefined, options), next: nextUrl });
}

/** The list of a page; a single entry, which comes wrapped in `item`, as a list of one. */
export function itemsOf(body: unknown): JsonNode {
  const root = new JsonNode(body);
  const item = root.at('item');
  return item.isMissing ? root.at('items') : new JsonNode([item.value]);
}

/** The parameters that name the objects of a response; each is left out unless it is named. */
export function fieldsQuery(names: readonly string[]): string {
  return names.map((name) => `fields%5B%5D=${name}`).join('&');
}

/** The objects of diary entries. */
export const diaryFields = fieldsQuery(['nutritional_contents', 'exercise', 'energy', 'distance', 'elevation_change']);
