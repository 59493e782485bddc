import type { ChosenApplication } from '../../context/applications.ts';
import type { LinkContext } from '../../context/context.ts';
import { queueRevocation } from '../../custody/queue-revocation.ts';
import type { AcceptedLink } from '../connect/store-connection.ts';
import type { LinkSession } from '../session/session.ts';
import type { OAuthConnector } from '../../providers/connector-kinds.ts';

/** What a provider granted for a code. It now holds a consent that must become a connection or be revoked. */
export type Grant = Pick<AcceptedLink, 'connector' | 'application' | 'tokens' | 'providerUserId' | 'grantedScopes'>;

/** The same right after the exchange, with the facts of the token response only. */
export interface ExchangedGrant extends Grant {
  readonly connector: OAuthConnector;
  readonly chosen: ChosenApplication;
}

/** Queues the revocation of a grant without a connection. Never throws, so that the caller sees why the link failed. */
export async function revokeGrant(context: LinkContext, session: LinkSession, grant: Grant): Promise<void> {
  const { connector, application, tokens, providerUserId, grantedScopes } = grant;
  const { teamId, userId } = session;
  try {
    await queueRevocation(context, { teamId, userId, provider: connector.slug, providerUserId, application, grantedScopes, tokens });
  } catch (error) {
    context.logger.warn({ provider: connector.slug, error }, 'link.grant_revoke_failed');
  }
}
