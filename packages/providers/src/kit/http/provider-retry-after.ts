import { parseRetryAfter } from '@pulsewire/kernel';

/**
 * The delay in `Retry-After`, in ms: seconds, or a date compared with the response's own `Date`, because clocks differ.
 * Undefined when the header is absent or malformed.
 */
export function readRetryAfterMs(headers: Readonly<Record<string, string | undefined>>): number | undefined {
  return parseRetryAfter(headers['retry-after'], Date.parse(headers['date'] ?? ''));
}
