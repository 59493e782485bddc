/** Reads the beginning of a response, up to the status that ends it. */
export interface ResponseStart {
  /** A request was written: a response follows. */
  reset(): void;
  /** Bytes as they arrive; a status of 100 in them becomes 102. */
  take(chunk: Buffer): 'http1' | 'http2';
}

const [carriageReturn, lineFeed, zero, one, two] = Buffer.from('\r\n012') as unknown as [number, number, number, number, number];
// `HTTP/1.1 100`: undici closes the connection at this status, which RFC 9110 allows at any time, but skips every other interim one.
const statusAt = 9;
const settingsFrame = 4;

/**
 * Follows interim responses byte by byte, because a chunk may end anywhere, and nothing after the first final status. At most three
 * digits are looked at, so that the receiver decides about nothing but its own response.
 */
export function createResponseStart(): ResponseStart {
  let at = 0;
  let digits = 0;
  let lineLength = 0;
  let isFollowed = true;

  function takeByte(chunk: Buffer, index: number): void {
    const byte = chunk[index] ?? 0;
    // Blank lines before a status line belong to nothing.
    if (at === 0 && (byte === carriageReturn || byte === lineFeed)) return;
    if (at === statusAt) {
      if (byte !== one) isFollowed = false;
    } else if (at === statusAt + 1) digits = byte === zero ? 1 : 0;
    else if (at === statusAt + 2 && digits === 1 && byte === zero) chunk[index] = two;
    at += 1;
    if (byte === lineFeed) {
      // An empty line ends the interim response.
      if (lineLength === 0) at = 0;
      lineLength = 0;
    } else if (byte !== carriageReturn) lineLength += 1;
  }

  return {
    reset() {
      at = 0;
      lineLength = 0;
      isFollowed = true;
    },
    take(chunk) {
      // A SETTINGS frame is the first that a server sends, and its length begins with a zero byte.
      if (isFollowed && at === 0 && chunk[0] === 0 && (chunk.length < 4 || chunk[3] === settingsFrame)) return 'http2';
      for (let index = 0; isFollowed && index < chunk.length; index++) takeByte(chunk, index);
      return 'http1';
    },
  };
}
