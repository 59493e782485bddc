import { randomUUID } from 'node:crypto';
import { run, type Tx } from '@pulsewire/database';
import { and, eq, sql } from 'drizzle-orm';
import { assertNotMixedWithDemo } from '../../connections/put-connection.ts';
import { chooseApplication } from '../../context/applications.ts';
import type { LinkContext } from '../../context/context.ts';
import { assertAddressNotLinked } from './assert-address-not-linked.ts';
import { emailLinkLifeMs } from './email-links.ts';
import { consumeSession } from '../session/consume-session.ts';
import type { LinkLock } from '../session/link-lock.ts';
import type { LinkRequested } from '../session/link-outcome.ts';
import { connections } from '../../model/tables.ts';
import type { EmailConnector } from '../../providers/connector-kinds.ts';
import { lockUser } from '../../users/find-user.ts';

export interface EmailRequest {
  readonly connector: EmailConnector;
  readonly email: string;
  readonly region: string | null;
}

interface Wanted {
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
  readonly email: string;
}

/** The user's working connection to this address, if any. */
async function findConnected({ orm }: Tx, { teamId, userId, provider, email }: Wanted): Promise<string | null> {
  const ofUser = and(eq(connections.teamId, teamId), eq(connections.userId, userId), eq(connections.provider, provider));
  const isAddress = sql`lower(${connections.externalUserId}) = lower(${email})`;
  const [row] = await run(
    orm
      .select({ connectionId: connections.connectionId })
      .from(connections)
      .where(and(ofUser, eq(connections.status, 'connected'), isAddress)),
  );
  return row?.connectionId ?? null;
}

/**
 * Stores a request to be linked; nothing is sent to the provider. A repeated request keeps its id and expires later; another address gets a
 * new id, so that an operator confirms only an address that was shown. A user who is connected to this address stays connected. Throws
 * AppErrors `provider_not_configured` and those of a missing or demo user, and link errors `duplicate_connection`, `token_consumed`.
 */
export async function requestEmailLink(context: LinkContext, lock: LinkLock, request: EmailRequest): Promise<LinkRequested> {
  const { teamId, userId, redirectUrl } = lock.session;
  const { connector, email, region } = request;
  const provider = connector.slug;
  const wanted: Wanted = { teamId, userId, provider, email };
  // Without a practice the link could never be confirmed.
  const { owner } = await chooseApplication(context.database, context, teamId, provider);
  return context.database.transaction(async (tx) => {
    await lockUser(tx, teamId, userId);
    await consumeSession(tx, context, lock, provider);
    await assertNotMixedWithDemo(tx, teamId, userId);
    await assertAddressNotLinked(tx, context.clock, wanted);
    const requested = { state: 'success', externalUserId: email, redirectUrl } as const;
    const connectionId = await findConnected(tx, wanted);
    if (connectionId !== null) return { ...requested, linkId: null, connectionId };
    const now = context.clock.now();
    const expiresAt = new Date(now.getTime() + emailLinkLifeMs).toISOString();
    const [row] = await tx.sql<{ link_id: string }[]>`
      INSERT INTO email_links AS e (link_id, team_id, user_id, provider, email, region, application, logo_base_url, requested_at, expires_at)
      VALUES (${randomUUID()}, ${teamId}, ${userId}, ${provider}, ${email}, ${region}, ${owner}, ${`${context.baseUrl()}/logos`},
        ${now.toISOString()}, ${expiresAt})
      ON CONFLICT (user_id, provider) DO UPDATE SET
        link_id = CASE WHEN lower(e.email) = lower(excluded.email) THEN e.link_id ELSE excluded.link_id END,
        requested_at = CASE WHEN lower(e.email) = lower(excluded.email) THEN e.requested_at ELSE excluded.requested_at END,
        email = excluded.email, region = excluded.region, application = excluded.application, logo_base_url = excluded.logo_base_url,
        expires_at = excluded.expires_at
      RETURNING link_id`;
    return { ...requested, linkId: row?.link_id ?? null, connectionId: null };
  });
}
