/**
 * The delay in `Retry-After`, in ms: seconds, or a date compared with the response's own `Date`, because clocks differ.
 * Undefined when the header is absent or malformed.
 */
export function readRetryAfterMs(headers: Readonly<Record<string, string | undefined>>): number | undefined {
  const text = headers['retry-after']?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const waitMs = Date.parse(text) - Date.parse(headers['date'] ?? '');
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
