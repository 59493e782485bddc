import { run, type Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import type { Connector, TokenSet } from '@pulsewire/providers';
import { and, eq } from 'drizzle-orm';
import { emitConnectionCreated, putConnection } from '../../connections/put-connection.ts';
import type { LinkContext } from '../../context/context.ts';
import { putTokens } from '../../custody/token-row.ts';
import { handOver } from '../../handover/hand-over.ts';
import { assertNoDuplicate } from './assert-no-duplicate.ts';
import { consumeSession } from '../session/consume-session.ts';
import { linkError } from '../session/link-error.ts';
import type { LinkLock } from '../session/link-lock.ts';
import type { Connection } from '../../model/connection.ts';
import { mayAct } from '../../model/may-act.ts';
import { linkConsents, linkSessions } from '../../model/tables.ts';
import { userDeleted } from '../../users/errors.ts';
import { lockUser } from '../../users/find-user.ts';

/** Takes the consent for a connection that is stored in this transaction. Throws a link error when it was revoked in the meantime. */
async function takeHeldConsent({ orm }: Tx, { sessionId, teamId }: LinkLock['session'], consentId: string): Promise<void> {
  const isHeld = and(eq(linkConsents.consentId, consentId), eq(linkConsents.sessionId, sessionId), eq(linkConsents.teamId, teamId));
  const rows = await run(orm.delete(linkConsents).where(isHeld).returning({ consentId: linkConsents.consentId }));
  if (rows.length === 0) throw linkError('token_not_validated', 'This consent has been revoked at the provider');
  await run(
    orm
      .update(linkSessions)
      .set({ consentId })
      .where(and(eq(linkSessions.sessionId, sessionId), eq(linkSessions.teamId, teamId))),
  );
}

/** A link that the provider has granted, not stored yet. */
export interface AcceptedLink {
  readonly connector: Connector;
  readonly application: 'team' | 'platform';
  readonly tokens: TokenSet;
  /** Redirect address of the consent; null without one. */
  readonly redirectUrl: string | null;
  readonly providerUserId: string | null;
  /** The user's name for the account, when it differs from the provider's id. */
  readonly externalUserId: string | null;
  readonly grantedScopes: readonly string[];
  readonly deniedScopes: readonly string[];
  readonly account: Readonly<Record<string, unknown>>;
  readonly traceId: string | null;
  /** Id of the confirmed consent; null when no confirmation was needed. */
  readonly consentId: string | null;
}

/**
 * The connection, its sealed tokens, the consumed session, `provider.connection.created` and the plan of its pulls: all in one transaction.
 * Throws link errors `duplicate_connection`, `token_consumed`, and AppErrors of a user who is gone or may not be linked.
 */
export function storeConnection(context: LinkContext, lock: LinkLock, link: AcceptedLink): Promise<Connection> {
  const { teamId, userId } = lock.session;
  const { connector, traceId } = link;
  return withEvents(context.database, async (tx: Tx, emit: Emit) => {
    const user = await lockUser(tx, teamId, userId);
    if (!(await mayAct(tx, { teamId, userId }))) throw userDeleted();
    await consumeSession(tx, context, lock, connector.slug);
    if (link.consentId !== null) await takeHeldConsent(tx, lock.session, link.consentId);
    await assertNoDuplicate(tx, { teamId, userId, provider: connector.slug, providerUserId: link.providerUserId });
    const connection = await putConnection(tx, emit, context, {
      teamId,
      userId,
      clientUserId: user.clientUserId,
      provider: connector.slug,
      ...link,
    });
    // Before planning, which reads only the days that a handover leaves to the connection.
    await handOver(tx, emit, context, { connection, connector, user });
    await putTokens(tx, context, connection.connectionId, link.tokens, link.redirectUrl);
    await context.onConnected?.(tx, connection);
    emitConnectionCreated(emit, context, connection, { clientUserId: user.clientUserId, provider: connector, connector, traceId });
    return connection;
  });
}
