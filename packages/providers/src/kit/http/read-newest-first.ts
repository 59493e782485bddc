import { JsonNode } from '../values/json-node.ts';
import type { ProviderResponse, PullWindow } from '../types/connector.ts';
import { readPages } from './read-pages.ts';

/** A page of a list that is sorted by time. */
export interface NewestPage {
  readonly response: ProviderResponse;
  readonly list: JsonNode;
  /**
   * True when this page alone contains everything from the window's first day on. Never true of a later page: pages are counted from the
   * newest item and may shift while they are read.
   */
  readonly isWhole: boolean;
}

/** Reads a list that is sorted newest first and cannot be queried by day, until a whole page is older than the window. */
export async function* readNewestFirst({
  first,
  step,
  itemsPerPage,
  window,
  read,
  listOf,
  dayOf,
}: {
  /** The number of the first page or item, and the step to the next page. */
  readonly first: number;
  readonly step: number;
  readonly itemsPerPage: number;
  readonly window: PullWindow;
  read(position: number): Promise<ProviderResponse>;
  listOf(body: JsonNode): JsonNode;
  /** The local day of an item; undefined when it has none. */
  dayOf(item: JsonNode): string | undefined;
}): AsyncGenerator<NewestPage> {
  const listIn = ({ body }: ProviderResponse) => listOf(new JsonNode(body));
  const itemsIn = (list: JsonNode) => (Array.isArray(list.value) ? list.items() : []);
  const isPast = (items: readonly JsonNode[]) => items.every((item) => (dayOf(item) ?? window.startDate) < window.startDate);
  const pages = readPages<number>({
    first,
    read,
    next(response, position) {
      const items = itemsIn(listIn(response));
      return items.length === 0 || isPast(items) ? null : position + step;
    },
  });
  let isFirst = true;
  for await (const response of pages) {
    const list = listIn(response);
    const items = itemsIn(list);
    const isWhole = isFirst && Array.isArray(list.value) && (items.length < itemsPerPage || isPast(items.slice(-1)));
    isFirst = false;
    yield { response, list, isWhole };
  }
}
