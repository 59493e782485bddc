import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { PushHead } from '../types/connector.ts';

/** Compares two texts in constant time. */
export function isSameText(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** The HMAC of the concatenated parts. Pass the raw body, never re-serialized JSON. */
export function hmacOf(algorithm: 'sha1' | 'sha256', key: string, parts: readonly (string | Buffer)[], encoding: 'hex' | 'base64'): string {
  const hmac = createHmac(algorithm, key);
  for (const part of parts) hmac.update(part);
  return hmac.digest(encoding);
}

/** The value of a header that occurs exactly once; null otherwise. `name` in lower case. */
export function headerOf({ headers }: Pick<PushHead, 'headers'>, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

/** Whether a signature's time, in ms since the epoch, is within `toleranceMs` of now; older calls may be replays. */
export function isFresh(atMs: number, now: Date, toleranceMs: number): boolean {
  return Number.isFinite(atMs) && Math.abs(now.getTime() - atMs) <= toleranceMs;
}
