import type { Clock } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import type { Connection } from '../model/connection.ts';
import { isDuplicate } from './duplicate-account.ts';
import { markConnectionErrorInTx } from './mark-error.ts';

/**
 * Notes whose account a connection is, where the provider told it only after the link; pushes find the connection by it. A known id stays.
 * False: the team minds duplicates and another of its users is connected to that account; then this connection ends in error, as its
 * link would have.
 */
export function saveProviderUser(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  { connectionId, teamId, userId, provider }: Pick<Connection, 'connectionId' | 'teamId' | 'userId' | 'provider'>,
  providerUserId: string,
): Promise<boolean> {
  return withEvents(database, async (tx, emit) => {
    if (await isDuplicate(tx, { teamId, userId, provider, providerUserId })) {
      const message = 'Another user of the team is connected to this account';
      await markConnectionErrorInTx(tx, emit, clock, connectionId, { errorType: 'unknown', message });
      return false;
    }
    await tx.sql`
      UPDATE connections SET provider_user_id = ${providerUserId}, updated_at = ${clock.now().toISOString()}
      WHERE connection_id = ${connectionId} AND team_id = ${teamId} AND provider_user_id IS NULL`;
    return true;
  });
}
