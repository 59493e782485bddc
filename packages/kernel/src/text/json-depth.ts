const [quote, backslash] = [0x22, 0x5c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Nesting limit for JSON from outside, far above any real document. A list in a list counts as two. */
export const jsonDepthMax = 64;

/**
 * Whether JSON text is nested deeper than `depthMax`. One pass over the bytes, which stops as soon as the result is known; the text need
 * not be valid. `JSON.parse` accepts any depth, but code that walks or serialises its result recurses and would overflow the stack.
 */
export function isJsonDeeperThan(bytes: Uint8Array, depthMax: number = jsonDepthMax): boolean {
  let depth = 0;
  let isInText = false;
  for (let place = 0; place < bytes.length; place++) {
    const byte = bytes[place];
    if (isInText) {
      if (byte === backslash) place += 1;
      else if (byte === quote) isInText = false;
    } else if (byte === quote) isInText = true;
    else if (byte === openBracket || byte === openBrace) {
      depth += 1;
      if (depth > depthMax) return true;
    } else if (byte === closeBracket || byte === closeBrace) depth -= 1;
  }
  return false;
}
