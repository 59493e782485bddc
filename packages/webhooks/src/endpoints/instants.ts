import { renderDateTime } from '@pulsewire/contract';

/** Postgres' text of an instant as the contract writes it; null where there is none, or where it is "not before something else". */
export function renderInstant(text: string | null): string | null {
  return text === null || text === 'infinity' ? null : renderDateTime(Date.parse(text));
}
