/** The text of a response body, in pieces. */
export type Chunks = AsyncIterable<string>;
