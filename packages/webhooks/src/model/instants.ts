import { renderDateTime } from '@pulsewire/contract';

/** Milliseconds since the epoch of Postgres' text of an instant in UTC. As ISO 8601: otherwise the year 0050 would be read as 1950. */
export function instantMs(text: string): number {
  return Date.parse(text.replace(' ', 'T').replace(/([+-]\d{2})$/, '$1:00'));
}

/** Postgres' text of an instant as the contract writes it; null where there is none, or where it is "not before something else". */
export function renderInstant(text: string | null): string | null {
  return text === null || text === 'infinity' ? null : renderDateTime(instantMs(text));
}
