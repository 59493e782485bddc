const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** Nesting limit for JSON from outside, far above any real document. A list in a list counts as two. */
export const jsonDepthMax = 64;

/** Limits of a JSON text before it is parsed. */
export interface JsonBounds {
  readonly depthMax: number;
  /** Values in all, without the containers that are empty or have one. */
  readonly valuesMax: number;
  /** Items of one list. */
  readonly itemsMax: number;
  /** Keys of one object: reading one with hundreds of thousands takes seconds. */
  readonly keysMax: number;
}

/** For bodies of any length: parsing what they allow takes less than a second. Above any real document. */
export const jsonBounds: JsonBounds = { depthMax: jsonDepthMax, valuesMax: 2_000_000, itemsMax: 1_000_000, keysMax: 100_000 };

export type JsonFault = 'too_deep' | 'too_many_values';

/**
 * Why a JSON text must not be parsed on the event loop; null when it may. One pass over the bytes, which stops as soon as the result is
 * known; the text need not be valid. `JSON.parse` accepts any depth, but code that walks or serialises its result recurses and would
 * overflow the stack; and twenty megabytes of `{},{},…` would occupy the process for seconds and a gigabyte.
 */
export function jsonFault(bytes: Uint8Array, { depthMax, valuesMax, itemsMax, keysMax }: JsonBounds = jsonBounds): JsonFault | null {
  let depth = 0;
  let isInText = false;
  let values = 0;
  // Of the open containers: commas left before it has too many values.
  const left: number[] = [Number.POSITIVE_INFINITY];
  for (let place = 0; place < bytes.length; place++) {
    const byte = bytes[place];
    if (isInText) {
      if (byte === backslash) place += 1;
      else if (byte === quote) isInText = false;
    } else if (byte === quote) isInText = true;
    else if (byte === comma) {
      values += 1;
      const room = (left[depth] ?? 0) - 1;
      if (values >= valuesMax || room <= 0) return 'too_many_values';
      left[depth] = room;
    } else if (byte === openBracket || byte === openBrace) {
      depth += 1;
      if (depth > depthMax) return 'too_deep';
      left[depth] = byte === openBrace ? keysMax : itemsMax;
    } else if (byte === closeBracket || byte === closeBrace) depth = Math.max(0, depth - 1);
  }
  return null;
}

/** Whether JSON text is nested deeper than `depthMax`. */
export function isJsonDeeperThan(bytes: Uint8Array, depthMax: number = jsonDepthMax): boolean {
  const unbounded = Number.POSITIVE_INFINITY;
  return jsonFault(bytes, { depthMax, valuesMax: unbounded, itemsMax: unbounded, keysMax: unbounded }) !== null;
}
