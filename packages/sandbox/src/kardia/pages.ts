import type { ApiResponse, UserCall } from '../kit/definition/definition.ts';
import { invalid } from '../kit/parts/refusal.ts';

const toCursor = (id: string) => Buffer.from(`cursor:${id}`).toString('base64');

/** One page of a list, after the item that the cursor names. */
export function pageOf<T extends { readonly id: string }>(
  { query }: UserCall,
  all: readonly T[],
  { byDefault, max }: { readonly byDefault: number; readonly max: number },
  show: (item: T) => unknown,
): ApiResponse {
  const limit = Number(query.get('limit') ?? byDefault);
  if (!Number.isInteger(limit) || limit < 1 || limit > max) throw invalid('limit is out of range');
  const start = query.get('start');
  const before = start === null ? -1 : all.findIndex(({ id }) => toCursor(id) === start);
  if (start !== null && before === -1) throw invalid('start is not a cursor');
  const shown = all.slice(before + 1, before + 1 + limit);
  const cursorOf = (item: T | undefined) => (item ? toCursor(item.id) : '');
  const pageInfo = {
    startCursor: cursorOf(shown[0]),
    endCursor: cursorOf(shown.at(-1)),
    hasNextPage: before + 1 + limit < all.length,
  };
  return { body: { totalCount: all.length, data: shown.map(show), pageInfo } };
}
