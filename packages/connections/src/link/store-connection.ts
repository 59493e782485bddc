import type { Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import type { Connector, TokenSet } from '@pulsewire/providers';
import type { Connection } from '../connections/connection.ts';
import { announceConnection, putConnection } from '../connections/put-connection.ts';
import type { LinkContext } from '../context.ts';
import { putTokens } from '../custody/token-row.ts';
import { lockUser } from '../users/find-user.ts';
import { takeConsent } from './held-consent.ts';
import { linkError } from './link-error.ts';
import type { LinkTurn } from './link-turn.ts';
import { assertNoDuplicate } from './no-duplicate.ts';

/** A link that the provider has agreed to, not stored yet. */
export interface AcceptedLink {
  readonly connector: Connector;
  readonly application: 'team' | 'platform';
  readonly tokens: TokenSet;
  /** Where the consent was sent back to; null without one. */
  readonly redirectUrl: string | null;
  readonly providerUserId: string | null;
  /** The name under which the user knows the account, where it is not the provider's id. */
  readonly externalUserId: string | null;
  readonly grantedScopes: readonly string[];
  readonly deniedScopes: readonly string[];
  readonly account: Readonly<Record<string, unknown>>;
  readonly traceId: string | null;
  /** Of the confirmation whose tokens these are; null: the person was not asked. */
  readonly consentId: string | null;
}

/** Ends the session with its connection, or with the request for one. Throws a link error `token_consumed`. */
export async function consumeSession({ sql }: Tx, context: LinkContext, turn: LinkTurn, provider: string): Promise<void> {
  const rows = await sql`
    UPDATE link_sessions SET state = 'success', started_provider = ${provider}, consumed_at = ${context.clock.now().toISOString()}, callback_until = NULL, code_verifier = NULL,
      mfa_ticket = NULL, last_error_type = NULL
    WHERE session_id = ${turn.session.sessionId} AND state <> 'success' AND callback_epoch = ${turn.epoch} RETURNING 1 AS updated`;
  if (rows.length === 0) throw linkError('token_consumed', 'This link token has made its connection already');
}

/**
 * The connection, its sealed tokens, the consumed session, `provider.connection.created` and the plan of its pulls: all in one transaction.
 * Throws link errors `duplicate_connection`, `token_consumed`, and AppErrors of a user who is gone or may not be linked.
 */
export function storeConnection(context: LinkContext, turn: LinkTurn, link: AcceptedLink): Promise<Connection> {
  const { teamId, userId } = turn.session;
  const { connector, traceId } = link;
  return withEvents(context.database, async (tx: Tx, emit: Emit) => {
    const user = await lockUser(tx, teamId, userId);
    await consumeSession(tx, context, turn, connector.slug);
    if (link.consentId !== null) await takeConsent(tx, turn.session, link.consentId);
    await assertNoDuplicate(tx, { teamId, userId, provider: connector.slug, providerUserId: link.providerUserId });
    const connection = await putConnection(tx, emit, context, {
      teamId,
      userId,
      clientUserId: user.clientUserId,
      provider: connector.slug,
      ...link,
    });
    await putTokens(tx, context, connection.connectionId, link.tokens, link.redirectUrl);
    await context.onConnected?.(tx, connection);
    announceConnection(emit, context, connection, { clientUserId: user.clientUserId, provider: connector, connector, traceId });
    return connection;
  });
}
