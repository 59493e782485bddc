import { and, eq, inArray } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { jsonEvent, type Emit } from '@pulsewire/eventlog';
import type { ProviderIdentity } from '@pulsewire/providers';
import { fromStored } from '../model/connection.ts';
import { manualProviders } from '../model/manual-providers.ts';
import { connections, users } from '../model/tables.ts';
import { connectionCreatedEvent, connectionErrorEvent, connectionRemovedEvent } from '../connection-status/events.ts';

/**
 * Emits the stored state of a user's connections to these providers, and a removal for each provider without one: for readers whose state
 * may differ.
 */
export async function republishConnections(
  tx: Tx,
  emit: Emit,
  user: { readonly teamId: string; readonly userId: string; readonly clientUserId: string },
  providers: readonly string[],
  options: { readonly findProvider: (slug: string) => ProviderIdentity | undefined; readonly logoBaseUrl: string },
): Promise<{ readonly stated: number; readonly removed: number }> {
  const { teamId, userId, clientUserId } = user;
  // Links and removals lock the user first.
  await run(
    tx.orm
      .select({ userId: users.userId })
      .from(users)
      .where(and(eq(users.teamId, teamId), eq(users.userId, userId)))
      .for('update'),
  );
  const isStated = and(eq(connections.teamId, teamId), eq(connections.userId, userId), inArray(connections.provider, [...providers]));
  const rows = await run(tx.orm.select().from(connections).where(isStated).orderBy(connections.provider).for('update'));
  for (const connection of rows.map(fromStored)) {
    const { error, provider: slug } = connection;
    const known = options.findProvider(slug);
    const event =
      error === null
        ? connectionCreatedEvent(connection, {
            clientUserId,
            provider: known ?? manualProviders.find((manual) => manual.slug === slug) ?? { slug, name: slug },
            connector: known ?? null,
            logoBaseUrl: options.logoBaseUrl,
            traceId: null,
          })
        : connectionErrorEvent({ team_id: teamId, user_id: userId, client_user_id: clientUserId, provider: slug }, error);
    emit(jsonEvent(event));
  }
  const present = new Set(rows.map(({ provider }) => provider));
  const absent = providers.filter((provider) => !present.has(provider));
  for (const provider of absent) {
    const connection = { teamId, userId, provider, externalUserId: null };
    emit(jsonEvent(connectionRemovedEvent(connection, { clientUserId, reason: 'lost' })));
  }
  return { stated: rows.length, removed: absent.length };
}
