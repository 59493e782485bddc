import { isUtf8 } from 'node:buffer';

/** With more invalid bytes than this it is not text. */
const wrongBytesMax = 10_000;

/** The length of the UTF-8 sequence at a position; 0 when there is none. */
function sequenceAt(bytes: Uint8Array, place: number): number {
  const [first = 0, second = 0, third = 0, fourth = 0] = bytes.subarray(place, place + 4);
  const isNext = (byte: number) => byte >= 0x80 && byte <= 0xbf;
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return isNext(second) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const isShortest = first !== 0xe0 || second >= 0xa0;
    const isNoSurrogate = first !== 0xed || second <= 0x9f;
    return isNext(second) && isShortest && isNoSurrogate && isNext(third) ? 3 : 0;
  }
  if (first < 0xf0 || first > 0xf4) return 0;
  const isInRange = (first !== 0xf0 || second >= 0x90) && (first !== 0xf4 || second <= 0x8f);
  return isNext(second) && isInRange && isNext(third) && isNext(fourth) ? 4 : 0;
}

/**
 * Bytes as text. A byte that is not UTF-8 becomes an unpaired surrogate (U+DC80 to U+DCFF), never U+FFFD: two different texts stay
 * different, and `isCleanText` detects them. Null when there are too many invalid bytes.
 */
export function decodeText(bytes: Buffer): string | null {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const parts: string[] = [];
  let [start, wrong] = [0, 0];
  for (let place = 0; place < bytes.length;) {
    const length = sequenceAt(bytes, place);
    if (length === 0) {
      wrong += 1;
      if (wrong > wrongBytesMax) return null;
      parts.push(bytes.toString('utf8', start, place), String.fromCharCode(0xdc00 + (bytes[place] ?? 0)));
      start = place + 1;
    }
    place += Math.max(1, length);
  }
  return [...parts, bytes.toString('utf8', start)].join('');
}

/** Whether a text can be stored unchanged: Postgres accepts no NUL, and UTF-8 has no unpaired surrogate. */
export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
