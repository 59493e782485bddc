import type { TokenSet } from '@pulsewire/providers';
import { linkableConnector } from '../applications.ts';
import type { LinkContext } from '../context.ts';
import { chooseRegion } from './choose-region.ts';
import { linkError } from './link-error.ts';
import type { LinkFailure, LinkSuccess } from './link-outcome.ts';
import { inLinkTurn } from './link-turn.ts';
import { asked, loginTimeoutMs } from './link-with-password.ts';
import { assertPinAllows } from './session.ts';
import { storeConnection } from './store-connection.ts';
import { tryLink, type LinkTry } from './try-link.ts';

export interface EmailLink extends LinkTry {
  /** The user's address at the provider. */
  readonly email: string;
  /** Of contract 6.5; null for the provider's default. */
  readonly region: string | null;
}

/** Nothing of the user is secret: custody hands this out, and the connector authorizes itself. */
const noTokens: TokenSet = { accessToken: '', refreshToken: null, expiresAt: null, scopes: null, providerUserId: null };

/**
 * Invites the owner of an e-mail address at the provider (contract 6.9). The connection is there at once, and brings data when the
 * invitation is accepted. Errors as in `linkWithPassword`.
 */
export async function linkByEmail(context: LinkContext, link: EmailLink): Promise<LinkSuccess | LinkFailure> {
  const { provider, email, traceId } = link;
  const { outcome } = await tryLink(context, link, (session) => {
    assertPinAllows(session, provider);
    const connector = linkableConnector(context, provider, 'email');
    const region = chooseRegion(connector.email.regions, link.region);
    return inLinkTurn(context, session, async (turn): Promise<LinkSuccess> => {
      const answer = await asked(context.gate.invite({ connector, email, region, signal: AbortSignal.timeout(loginTimeoutMs) }));
      if (answer.kind === 'refused') throw linkError(answer.errorType, answer.message);
      const { connectionId, externalUserId } = await storeConnection(context, turn, {
        connector,
        application: 'platform',
        redirectUrl: null,
        tokens: answer.tokens ?? noTokens,
        providerUserId: answer.providerUserId ?? email,
        externalUserId: email,
        grantedScopes: [],
        deniedScopes: [],
        account: answer.account,
        traceId,
      });
      return { state: 'success', connectionId, externalUserId, redirectUrl: session.redirectUrl };
    });
  });
  return outcome;
}
