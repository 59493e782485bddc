import type { ApiResponse, UserCall } from '../kit/definition/definition.ts';
import { invalid } from '../kit/parts/refusal.ts';
import type { Item } from './diary.ts';

const itemsMax = 100;
/** Fewer than the documented 100, so that days of the diary have several pages. */
const itemsDefault = 5;

interface Continued {
  readonly path: string;
  readonly query: string;
  readonly from: number;
}

function linkOf({ path, parts }: UserCall, continued: Continued, max: string | null): string {
  const token = Buffer.from(JSON.stringify(continued)).toString('base64url');
  const size = max === null ? '' : `&max_items=${max}`;
  return `${parts.url()}${path}?page_token=${token}${size}`;
}

function decode(token: string, path: string): Continued {
  try {
    const continued = JSON.parse(Buffer.from(token, 'base64url').toString('utf8')) as Continued;
    if (continued.path === path) return continued;
  } catch {
    // As for a token of another list.
  }
  throw invalid('page_token is not valid');
}

/** A page of a list. Further ones are in the `Link` header only; their token stands for all other parameters. */
export function paged(call: UserCall, list: (query: URLSearchParams) => readonly Item[]): ApiResponse {
  const max = call.query.get('max_items');
  const size = Number(max ?? itemsDefault);
  if (!Number.isInteger(size) || size < 1 || size > itemsMax) throw invalid('max_items must be between 1 and 100');
  const token = call.query.get('page_token');
  const { path } = call;
  const { query, from } = token === null ? { query: call.query.toString(), from: 0 } : decode(token, path);
  const all = list(new URLSearchParams(query));
  const links = [
    ...(from > 0 ? [`<${linkOf(call, { path, query, from: Math.max(0, from - size) }, max)}>; rel=previous`] : []),
    ...(from + size < all.length ? [`<${linkOf(call, { path, query, from: from + size }, max)}>; rel=next`] : []),
  ];
  return { body: { items: all.slice(from, from + size) }, ...(links.length > 0 && { headers: { link: links.join(', ') } }) };
}
