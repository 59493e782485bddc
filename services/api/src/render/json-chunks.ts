import type { Chunks } from '../route/chunks.ts';

/** Renders batches of JSON items as the text of one array, in chunks. */
export async function* jsonArray(pages: AsyncIterable<readonly string[]>): Chunks & AsyncGenerator<string> {
  let separator = '[';
  for await (const items of pages) {
    if (items.length === 0) continue;
    yield separator + items.join(',');
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

/** An object whose members are streamed one after another: `{"heartrate":[…],"hrv":[…]}`. */
export async function* jsonObject(members: readonly (readonly [key: string, chunks: Chunks])[]): Chunks & AsyncGenerator<string> {
  let separator = '{';
  for (const [key, chunks] of members) {
    yield `${separator}${JSON.stringify(key)}:`;
    separator = ',';
    yield* chunks;
  }
  yield separator === '{' ? '{}' : '}';
}
