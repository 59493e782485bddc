/**
 * How long `Retry-After` asks to wait, in ms: seconds, or a date read against the answer's own `Date`, because
 * clocks differ. Undefined when there is none to read.
 */
export function readRetryAfterMs(headers: Readonly<Record<string, string | undefined>>): number | undefined {
  const text = headers['retry-after']?.trim();
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const waitMs = Date.parse(text) - Date.parse(headers['date'] ?? '');
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs);
}
