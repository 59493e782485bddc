import { and, eq, isNull } from 'drizzle-orm';
import type { Clock } from '@pulsewire/kernel';
import { run, type Database } from '@pulsewire/database';
import { withEvents } from '@pulsewire/eventlog';
import type { Connection } from '../model/connection.ts';
import { connections } from '../model/tables.ts';
import { isDuplicate } from './duplicate-account.ts';
import { markConnectionErrorInTx } from './mark-error.ts';

/**
 * Stores the account id of a connection when the provider reports it only after the link; pushes find the connection by it. A known id is
 * kept. Returns false when the team rejects duplicates and another of its users is connected to the account: the connection is then marked
 * with an error, just as its link would have been rejected.
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
    await run(
      tx.orm
        .update(connections)
        .set({ providerUserId, updatedAt: clock.now() })
        .where(and(eq(connections.connectionId, connectionId), eq(connections.teamId, teamId), isNull(connections.providerUserId))),
    );
    return true;
  });
}
