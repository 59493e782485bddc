import type { ProviderCall, ProviderResponse, ProviderSend } from '../types/connector.ts';

/** Names under which providers take the number of items of a page. */
const sizeNames = ['limit', 'pageSize', 'page_size', 'per_page', 'perPage', 'maxCount', 'count', 'size', 'max_results', 'maxResults'];
/** Parameters that lead to the following page of the same question. */
const placeNames: ReadonlySet<string> = new Set(
  'page,pageNum,page_index,pageToken,page_token,offset,start,cursor,after,before,nextToken,next_token,paginationKey,from'.split(','),
);
/** A member of a response that says whether there is more: then a connector that stops has been told to, or stops for a reason of its own. */
const marks = /next|more|pag(?:e|ing|ination)|truncated|total/i;
const depthMax = 3;

type Parameters = Readonly<Record<string, unknown>>;

function parametersOf(call: ProviderCall): Parameters {
  return { ...call.query, ...call.form, ...(typeof call.json === 'object' && call.json !== null ? call.json : {}) };
}

/** The longest list in the outer levels of a body, and whether anything beside a list says that there is more. */
function longestList(value: unknown, depth = 0): { readonly length: number; readonly isMarked: boolean } {
  if (Array.isArray(value)) return { length: value.length, isMarked: false };
  if (typeof value !== 'object' || value === null || depth > depthMax) return { length: 0, isMarked: false };
  let [length, isMarked] = [0, false];
  for (const [key, member] of Object.entries(value)) {
    if (marks.test(key) && !Array.isArray(member)) isMarked = true;
    const inner = longestList(member, depth + 1);
    length = Math.max(length, inner.length);
    isMarked ||= inner.isMarked;
  }
  return { length, isMarked };
}

/** Whether a response is as long as the page that was asked for and does not say how it goes on. */
function isFull(call: ProviderCall, { body }: ProviderResponse): boolean {
  const parameters = parametersOf(call);
  const size = sizeNames.map((name) => Number(parameters[name])).find((number) => Number.isInteger(number) && number > 1);
  if (size === undefined) return false;
  const { length, isMarked } = longestList(body);
  return length >= size && !isMarked;
}

/** The same for all pages of one question. */
function questionOf(method: string, path: string, call: ProviderCall): string {
  const rest = Object.entries(parametersOf(call)).filter(([name]) => !placeNames.has(name));
  return JSON.stringify([method, path, rest.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

export interface CutWatch {
  readonly send: ProviderSend;
  /** Whether a response so far was as long as its page and was not followed by the next one. */
  mayBeCut(): boolean;
}

/**
 * Watches the calls of one reading for responses that may have been cut: as long as their page, with nothing that says whether there is more,
 * and not followed by a further page. Nothing may be removed because it is missing from such a response, whatever the connector declares.
 */
export function watchForCuts(send: ProviderSend): CutWatch {
  const full = new Set<string>();
  return {
    async send(method, path, call) {
      const question = questionOf(method, path, call);
      const response = await send(method, path, call);
      if (isFull(call, response)) full.add(question);
      else full.delete(question);
      return response;
    },
    mayBeCut: () => full.size > 0,
  };
}
