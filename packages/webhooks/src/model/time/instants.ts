import { renderDateTime } from '@pulsewire/contract';

/**
 * Milliseconds since the epoch of Postgres' text of an instant in UTC. Converted to ISO 8601 first, because Date.parse would read the year
 * 0050 as 1950.
 */
export function instantMs(text: string): number {
  return Date.parse(text.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00'));
}

/** Converts Postgres' text of an instant to the contract's format; null for null and for `infinity` (held behind another delivery). */
export function renderInstant(text: string | null): string | null {
  return text === null || text === 'infinity' ? null : renderDateTime(instantMs(text));
}
