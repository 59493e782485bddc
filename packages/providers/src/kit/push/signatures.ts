import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { PushHead } from '../types/connector.ts';

/** Equal texts, in a time that tells nothing of where they differ. */
export function isSameText(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/** The HMAC of the parts one after the other. Give the raw body, never JSON that was written again. */
export function hmacOf(algorithm: 'sha1' | 'sha256', key: string, parts: readonly (string | Buffer)[], encoding: 'hex' | 'base64'): string {
  const hmac = createHmac(algorithm, key);
  for (const part of parts) hmac.update(part);
  return hmac.digest(encoding);
}

/** A header that came once; null otherwise. `name` in lower case. */
export function headerOf({ headers }: Pick<PushHead, 'headers'>, name: string): string | null {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
}

/** Whether a signature's time, in ms since the epoch, lies within `toleranceMs` of now: an older call is a replay. */
export function isFresh(atMs: number, now: Date, toleranceMs: number): boolean {
  return Number.isFinite(atMs) && Math.abs(now.getTime() - atMs) <= toleranceMs;
}
