import type { ChosenApplication } from '../../context/applications.ts';
import type { LinkContext } from '../../context/context.ts';
import { queueRevocation } from '../../custody/queue-revocation.ts';
import type { OAuthConnector } from '../../providers/connector-kinds.ts';
import type { AcceptedLink } from '../connect/store-connection.ts';
import type { LinkSession } from '../session/session.ts';

/** What a provider gave for a code: from here on it holds a consent that must be stored or given back. */
export type Grant = Pick<AcceptedLink, 'connector' | 'application' | 'tokens' | 'providerUserId' | 'grantedScopes'>;

/** The same right after the exchange: nothing is known yet but what the token answer says. */
export interface ExchangedGrant extends Grant {
  readonly connector: OAuthConnector;
  readonly chosen: ChosenApplication;
}

/** Leaves a note to revoke what came to no connection. Never throws: why the link failed is what its caller must hear. */
export async function revokeGrant(context: LinkContext, session: LinkSession, grant: Grant): Promise<void> {
  const { connector, application, tokens, providerUserId, grantedScopes } = grant;
  const { teamId, userId } = session;
  try {
    await queueRevocation(context, { teamId, userId, provider: connector.slug, providerUserId, application, grantedScopes, tokens });
  } catch (error) {
    context.logger.warn({ provider: connector.slug, error }, 'link.grant_not_given_back');
  }
}
