import { errorCode } from '@pulsewire/kernel';
import { chooseApplication } from '../../context/applications.ts';
import type { LinkContext } from '../../context/context.ts';
import { linkableConnector } from '../../context/find-connector.ts';
import { callbackUrl } from './callback-url.ts';
import type { ExchangedGrant } from './grant.ts';
import { makeRoom } from './make-room.ts';
import { linkError } from '../session/link-error.ts';
import type { LinkSession } from '../session/session.ts';
import { sessionSealContext } from '../../model/seal-contexts.ts';
import type { OAuthConnector } from '../../providers/connector-kinds.ts';

/** Query of the callback as the provider sent it; unknown keys are ignored. */
export interface OAuthCallback {
  readonly provider: string;
  readonly state: string | undefined;
  readonly code: string | undefined;
  readonly error: string | undefined;
  /** The granted scopes, when the provider sends them here. */
  readonly scope?: string | undefined;
  readonly traceId: string | null;
}

const exchangeTimeoutMs = 15_000;

/** The granted scopes of the callback; null when it has none. */
function callbackScopes({ oauth }: OAuthConnector, { scope }: OAuthCallback): readonly string[] | null {
  if (oauth.grantedScopesIn !== 'callback' || scope === undefined) return null;
  const names = scope.split(oauth.scopeSeparator ?? ' ').map((name) => name.trim());
  return names.filter((name) => name !== '').slice(0, 100);
}

/** Exchanges the code at the provider, which accepts it once. Throws link errors. */
export async function exchangeCode(context: LinkContext, session: LinkSession, callback: OAuthCallback): Promise<ExchangedGrant> {
  const connector = linkableConnector(context, callback.provider, 'oauth');
  const chosen = await chooseApplication(context.database, context, session.teamId, callback.provider);
  if (callback.code === undefined) throw linkError('provider_credential_error', 'The provider sent no authorization code');
  const exchange = context.gate.exchangeCode({
    connector,
    application: chosen.application,
    redirectUrl: callbackUrl(context, chosen, callback.provider),
    code: callback.code,
    state: callback.state ?? null,
    codeVerifier: session.codeVerifier && context.cipher.open(session.codeVerifier, sessionSealContext(session.sessionId)),
    signal: AbortSignal.timeout(exchangeTimeoutMs),
  });
  const tokens = await exchange.catch(async (error: unknown) => {
    if (errorCode(error) !== 'oauth_too_many_tokens') throw error;
    const isRoom = await makeRoom(context, session, connector, chosen);
    const wayOut = isRoom ? 'They were revoked: please link again' : `Remove the app in the account at ${connector.name} and link again`;
    throw linkError('provider_credential_error', `The account has granted this app too many tokens. ${wayOut}`, error);
  });
  const grantedScopes = callbackScopes(connector, callback) ?? tokens.scopes ?? connector.oauth.scopes;
  return { connector, chosen, application: chosen.owner, tokens, providerUserId: tokens.providerUserId, grantedScopes };
}
