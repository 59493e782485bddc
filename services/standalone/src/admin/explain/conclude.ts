import type { CoveredWindow } from '@pulsewire/ingest';
import type { DayHistory } from './read-day.ts';

const isOpen = ({ state }: CoveredWindow) => state === 'planned' || state === 'running' || state === 'failed';

/** Why nothing is stored, the most decisive reason first; null when something is stored. */
export function conclude(history: DayHistory): string | null {
  const { stored, connections, windows, setAside, user, day, resource } = history;
  if (stored.summaries.length + stored.samples.length > 0) return null;
  if (stored.removals.length > 0) return 'The provider removed what it had sent.';
  if (user.deletedAt) return `The user was deleted at ${user.deletedAt.toISOString()}.`;
  if (user.ingestionStart && day < user.ingestionStart) return `The day is before the user's ingestion_start, ${user.ingestionStart}.`;
  if (user.ingestionEnd && day > user.ingestionEnd) return `The day is after the user's ingestion_end, ${user.ingestionEnd}.`;
  if (setAside.length > 0) return 'What the provider sent could not be mapped, and was set aside.';
  if (windows.some(({ errorCode }) => errorCode === 'provider_configuration'))
    return "The provider refuses the operator's application; the user has done nothing wrong. The log line provider.configuration_fault says what to correct.";
  if (windows.some(isOpen)) return 'The day is still being read.';
  const givenUp = windows.find(({ state }) => state === 'given_up');
  if (givenUp) return `The provider could not be read: ${givenUp.errorCode ?? 'unknown'}.`;
  if (windows.some(({ state, resources }) => state === 'done' && resources.includes(resource)))
    return 'The provider was read and had nothing.';
  return reasonOfNotReading(history) ?? (connections.length === 0 ? 'The user has no connection.' : 'The day was never requested.');
}

function reasonOfNotReading({ connections }: DayHistory): string | null {
  for (const { connection, availability } of connections) {
    const missing = availability?.scope_requirements?.user_denied.required ?? [];
    if (availability?.status === 'unavailable')
      return `The user did not grant ${connection.provider} the scope ${missing.length > 0 ? missing.join(', ') : 'that it needs'}.`;
  }
  const supplies = connections.some(({ availability }) => availability !== null);
  return connections.length > 0 && !supplies ? 'None of the connected providers supplies this resource.' : null;
}
