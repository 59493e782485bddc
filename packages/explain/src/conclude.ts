import type { Verdict } from '@pulsewire/contract';
import type { CoveredWindow } from '@pulsewire/ingest';
import type { DayHistory, ExplainedConnection } from './read-day.ts';

export interface Conclusion {
  readonly verdict: Verdict;
  /** One sentence. */
  readonly reason: string;
  /** What to do about it, as a sentence; null when nobody can or need do anything. */
  readonly remedy: string | null;
}

const isOpen = ({ state }: CoveredWindow) => state === 'planned' || state === 'running' || state === 'failed';
const because = (verdict: Verdict, reason: string, remedy: string | null = null): Conclusion => ({ verdict, reason, remedy });

/** Why a day has data or none, the most decisive reason first. */
export function conclude(history: DayHistory): Conclusion {
  const { stored } = history;
  const samples = stored.samples.reduce((sum, { count }) => sum + count, 0);
  const parts = [
    samples > 0 ? count(samples, 'sample') : null,
    stored.summaries.length > 0 ? count(stored.summaries.length, 'summary') : null,
  ];
  const held = parts.filter((part) => part !== null);
  if (held.length > 0) return because('stored', `Stored: ${held.join(' and ')}.`);
  return reasonOfUser(history) ?? reasonOfWindows(history) ?? reasonOfConnections(history);
}

const plurals: Readonly<Record<string, string>> = { sample: 'samples', summary: 'summaries' };
const count = (number: number, word: string) => `${number} ${number === 1 ? word : plurals[word]}`;

function reasonOfUser({ stored, user, day }: DayHistory): Conclusion | null {
  if (stored.removals.length > 0) return because('removed', 'The provider removed what it had sent.');
  if (user.deletedAt) return because('user_deleted', `The user was deleted at ${user.deletedAt.toISOString()}.`);
  const widen = 'Change the bounds of the user, then read the history again.';
  if (user.ingestionStart && day < user.ingestionStart)
    return because('outside_bounds', `The day is before the user's ingestion_start, ${user.ingestionStart}.`, widen);
  if (user.ingestionEnd && day > user.ingestionEnd)
    return because('outside_bounds', `The day is after the user's ingestion_end, ${user.ingestionEnd}.`, widen);
  return null;
}

function reasonOfWindows({ windows, setAside, resource }: DayHistory): Conclusion | null {
  if (setAside.length > 0)
    return because(
      'set_aside',
      'What the provider sent could not be mapped, and was set aside.',
      'Report it to the operator: once the mapping is corrected, the kept response is applied again.',
    );
  if (windows.some(({ errorCode }) => errorCode === 'provider_configuration'))
    return because(
      'application_refused',
      "The provider refuses the operator's application; the user has done nothing wrong.",
      'The log line provider.configuration_fault says what to correct.',
    );
  if (windows.some(isOpen)) return because('pending', 'The day is still being read.');
  const givenUp = windows.find(({ state }) => state === 'given_up');
  if (givenUp)
    return because(
      'given_up',
      `The provider could not be read: ${givenUp.errorCode ?? 'unknown'}.`,
      'Refresh the user, or pull the history again, when the provider works.',
    );
  if (windows.some(({ state, resources }) => state === 'done' && resources.includes(resource)))
    return because('provider_had_nothing', 'The provider was read and had nothing.');
  return null;
}

function reasonOfConnections({ connections, resource }: DayHistory): Conclusion {
  if (connections.length === 0)
    return because('not_connected', 'The user has no connection.', 'Create a link token and let the user connect a provider.');
  for (const { connection, availability } of connections) {
    const missing = availability?.scope_requirements?.user_denied.required ?? [];
    if (availability?.status === 'unavailable')
      return because(
        'permission_denied',
        `The user did not grant ${connection.provider} the scope ${missing.length > 0 ? missing.join(', ') : 'that it needs'}.`,
        `Let the user connect ${connection.provider} again and grant it.`,
      );
  }
  const suppliers = connections.filter(({ availability }) => availability !== null);
  if (suppliers.length === 0) return because('not_supplied', 'None of the connected providers supplies this resource.');
  return stopped(suppliers, resource) ?? because('not_requested', 'The day was never requested.');
}

/** Null unless every connection that could supply the day has stopped. */
function stopped(suppliers: readonly ExplainedConnection[], resource: string): Conclusion | null {
  const [first] = suppliers;
  if (first === undefined || suppliers.some(({ connection }) => connection.status === 'connected')) return null;
  const { provider, status, error } = first.connection;
  if (status === 'paused')
    return because('connection_stopped', `The connection to ${provider} is paused, so ${resource} was not requested.`);
  return because(
    'connection_stopped',
    `The connection to ${provider} stopped${error ? ` at ${error.erroredAt.toISOString()}: ${error.errorType}` : ''}, so the day was not requested.`,
    `Let the user connect ${provider} again.`,
  );
}
