import { randomUUID } from 'node:crypto';
import type { Connector, TokenSet } from '@pulsewire/providers';
import type { Tx } from '@pulsewire/database';
import { jsonEvent, withEvents, type Emit } from '@pulsewire/eventlog';
import type { LinkContext } from '../context.ts';
import { toConnection, type Connection, type ConnectionRow } from '../connections/connection.ts';
import { connectionCreatedEvent } from '../connections/events.ts';
import { putTokens } from '../custody/token-row.ts';
import { lockUser } from '../users/find-user.ts';
import { linkError } from './link-error.ts';
import type { CallbackTurn } from './callback-turn.ts';

/** A link that the provider has agreed to, not stored yet. */
export interface AcceptedLink {
  readonly connector: Connector;
  readonly application: 'team' | 'platform';
  readonly tokens: TokenSet;
  readonly providerUserId: string | null;
  readonly grantedScopes: readonly string[];
  readonly deniedScopes: readonly string[];
  readonly account: Readonly<Record<string, unknown>>;
  readonly traceId: string | null;
}

async function assertNoDuplicate({ sql }: Tx, session: CallbackTurn['session'], link: AcceptedLink): Promise<void> {
  if (link.providerUserId === null) return;
  const [team] = await sql<
    { rejects: boolean }[]
  >`SELECT reject_duplicate_connection AS rejects FROM teams WHERE team_id = ${session.teamId}`;
  if (!team?.rejects) return;
  // Two users may link the same account at this moment; the second must see the first's row.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${session.teamId}:${link.connector.slug}:${link.providerUserId}`}, 0))`;
  const [other] = await sql`
    SELECT 1 FROM connections WHERE team_id = ${session.teamId} AND provider = ${link.connector.slug}
      AND provider_user_id = ${link.providerUserId} AND user_id <> ${session.userId} LIMIT 1`;
  if (other) throw linkError('duplicate_connection', 'Another user of the team is connected to this account');
}

async function upsertConnection(
  { sql }: Tx,
  context: LinkContext,
  session: CallbackTurn['session'],
  link: AcceptedLink,
): Promise<Connection> {
  const now = context.clock.now().toISOString();
  // Linking again revives the connection that is there, so history and plans stay with it.
  const [row] = await sql<ConnectionRow[]>`
    INSERT INTO connections (connection_id, team_id, user_id, provider, provider_user_id, status, application, granted_scopes, denied_scopes, account, created_at, updated_at)
    VALUES (${randomUUID()}, ${session.teamId}, ${session.userId}, ${link.connector.slug}, ${link.providerUserId}, 'connected', ${link.application},
      ${[...link.grantedScopes]}::text[], ${[...link.deniedScopes]}::text[], ${JSON.stringify(link.account)}::jsonb, ${now}, ${now})
    ON CONFLICT (user_id, provider) DO UPDATE SET provider_user_id = excluded.provider_user_id, status = 'connected', application = excluded.application,
      granted_scopes = excluded.granted_scopes, denied_scopes = excluded.denied_scopes, account = excluded.account,
      error_type = NULL, error_message = NULL, errored_at = NULL, updated_at = excluded.updated_at
    RETURNING *`;
  return toConnection(row as ConnectionRow);
}

async function consumeSession({ sql }: Tx, context: LinkContext, turn: CallbackTurn): Promise<void> {
  const rows = await sql`
    UPDATE link_sessions SET state = 'success', consumed_at = ${context.clock.now().toISOString()}, callback_until = NULL, code_verifier = NULL
    WHERE session_id = ${turn.session.sessionId} AND state <> 'success' AND callback_epoch = ${turn.epoch} RETURNING 1 AS updated`;
  if (rows.length === 0) throw linkError('token_consumed', 'This link token has made its connection already');
}

/**
 * The connection, its sealed tokens, the consumed session, `provider.connection.created` and the plan of its pulls: all in one transaction.
 * Throws link errors `duplicate_connection`, `token_consumed`, and AppErrors of a user who is gone.
 */
export function storeConnection(context: LinkContext, turn: CallbackTurn, link: AcceptedLink): Promise<Connection> {
  const { session } = turn;
  return withEvents(context.database, async (tx: Tx, emit: Emit) => {
    const user = await lockUser(tx, session.teamId, session.userId);
    await consumeSession(tx, context, turn);
    await assertNoDuplicate(tx, session, link);
    const connection = await upsertConnection(tx, context, session, link);
    await putTokens(tx, context, connection.connectionId, link.tokens);
    await context.onConnected?.(tx, connection);
    const { connector, traceId } = link;
    emit(
      jsonEvent(
        connectionCreatedEvent(connection, {
          clientUserId: user.clientUserId,
          connector,
          logoBaseUrl: `${context.baseUrl()}/logos`,
          traceId,
        }),
      ),
    );
    return connection;
  });
}
