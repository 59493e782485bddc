/**
 * Reads `Retry-After` in both of its forms, seconds or an HTTP date, as milliseconds from `nowMs`. Undefined when it is missing or
 * malformed; never negative.
 */
export function parseRetryAfter(header: string | readonly string[] | undefined, nowMs: number): number | undefined {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim();
  if (text === undefined || text === '' || text.length > 64) return undefined;
  if (/^\d+$/.test(text)) return Math.min(Number(text), Number.MAX_SAFE_INTEGER / 1000) * 1000;
  // Date.parse accepts more than HTTP dates, such as a bare number; a date in this header always names its zone.
  const atMs = / GMT$/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}
