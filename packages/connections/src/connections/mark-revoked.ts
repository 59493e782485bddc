import type { Clock } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { findConnectionsByProviderUser } from './find-connections.ts';
import { markConnectionError } from './mark-error.ts';

/**
 * The provider itself said that this account withdrew its consent (a push, or a definite answer): every connection to it stops.
 * Gives how many were still active; a repeat gives 0 and emits nothing.
 */
export async function markRevoked(
  context: { readonly database: Database; readonly clock: Clock },
  provider: string,
  providerUserId: string,
): Promise<number> {
  let marked = 0;
  for (const { connectionId } of await findConnectionsByProviderUser(context.database, provider, providerUserId)) {
    const failure = { errorType: 'deregistered_per_provider', message: 'The user withdrew the consent at the provider' } as const;
    if (await markConnectionError(context, connectionId, failure)) marked += 1;
  }
  return marked;
}
