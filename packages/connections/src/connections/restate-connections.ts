import { textArray, type Tx } from '@pulsewire/database';
import { jsonEvent, type Emit } from '@pulsewire/eventlog';
import type { ProviderIdentity } from '@pulsewire/providers';
import { toConnection, type ConnectionRow } from '../model/connection.ts';
import { manualProviders } from '../model/manual-providers.ts';
import { connectionCreatedEvent, connectionErrorEvent, connectionRemovedEvent } from './events.ts';

/**
 * Emits a user's connections to these providers as they are stored, and the removal of those that are not: for readers who may have
 * something else.
 */
export async function restateConnections(
  tx: Tx,
  emit: Emit,
  user: { readonly teamId: string; readonly userId: string; readonly clientUserId: string },
  providers: readonly string[],
  options: { readonly findProvider: (slug: string) => ProviderIdentity | undefined; readonly logoBaseUrl: string },
): Promise<{ readonly stated: number; readonly removed: number }> {
  const { teamId, userId, clientUserId } = user;
  // Whoever links or removes a connection holds the user.
  await tx.sql`SELECT 1 FROM users WHERE team_id = ${teamId} AND user_id = ${userId} FOR UPDATE`;
  const rows = await tx.sql<ConnectionRow[]>`
    SELECT * FROM connections WHERE team_id = ${teamId} AND user_id = ${userId} AND provider = ANY(${textArray(providers)}::text[])
    ORDER BY provider FOR UPDATE`;
  for (const connection of rows.map(toConnection)) {
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
