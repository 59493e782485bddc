import { decodeText } from './decode-text.ts';
import { jsonFault } from './json-depth.ts';

// A number and not a fraction, nor digits at the start of a string: the reviver makes parsing several times as slow.
const unsafeInteger = /(?:^|[[,:\s])-?\d{16}/;

// Some providers count their records in 64 bits. A double would round such an id, and two records would become one.
function keepLargeIntegers(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value) || context?.source === undefined) return value;
  return /^-?\d+$/.test(context.source) ? context.source : value;
}

/**
 * A body as JSON: undefined when it is empty, not JSON, nested too deeply, or has too many values. Integers too large for a double become strings. Bytes
 * that are not UTF-8 become unpaired surrogates, so that readers of such a text can quarantine it.
 */
export function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0 || jsonFault(bytes) !== null) return undefined;
  const text = decodeText(bytes);
  if (text === null) return undefined;
  try {
    return unsafeInteger.test(text) ? JSON.parse(text, keepLargeIntegers) : JSON.parse(text);
  } catch {
    return undefined;
  }
}
