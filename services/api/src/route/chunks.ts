/** The text of a response body, in chunks. */
export type Chunks = AsyncIterable<string>;
