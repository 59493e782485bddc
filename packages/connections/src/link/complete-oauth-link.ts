import type { LinkErrorType } from '@pulsewire/contract';
import { isAppError } from '@pulsewire/kernel';
import { chooseApplication, connectorOf, type ChosenApplication } from '../applications.ts';
import type { LinkContext } from '../context.ts';
import { findMustGrantScopes } from '../teams/scope-requirements.ts';
import { endCallbackTurn, takeCallbackTurn } from './callback-turn.ts';
import { giveBack, type Grant } from './grant.ts';
import { linkError, linkErrorType } from './link-error.ts';
import { assertUsable, readLinkSession, verifierContext, type LinkSession } from './session.ts';
import { callbackUrl } from './start-oauth-link.ts';
import { storeConnection, type AcceptedLink } from './store-connection.ts';

/** Query of the callback as the provider sent it; unknown keys do not matter. */
export interface OAuthCallback {
  readonly provider: string;
  readonly state: string | undefined;
  readonly code: string | undefined;
  readonly error: string | undefined;
  readonly traceId: string | null;
}

/** How a link ended. `redirectUrl` is null when the session has none, or when the token told us no session. */
export type LinkOutcome =
  | { readonly state: 'success'; readonly connectionId: string; readonly redirectUrl: string | null }
  | { readonly state: 'error'; readonly errorType: LinkErrorType; readonly error: string; readonly redirectUrl: string | null };

const exchangeTimeoutMs = 15_000;
const accountTimeoutMs = 10_000;
const waitTimeoutMs = 30_000;

// Only codes that look like OAuth's own words come back to the page; the rest of the query is the outside world's.
function refusal(error: string): Error {
  if (error === 'access_denied') return linkError('user_cancelled', 'The user did not agree at the provider');
  const word = /^[\w.-]{1,64}$/.test(error) ? error : 'unreadable error';
  return linkError('provider_credential_error', `The provider refused the authorization: ${word}`);
}

function asLinkError(error: unknown): unknown {
  if (error instanceof Error && error.name === 'TimeoutError')
    return linkError('provider_api_error', 'The provider did not answer in time', error);
  if (linkErrorType(error) !== null || !isAppError(error)) return error;
  if (error.code === 'user_not_found' || error.code === 'user_deleted')
    return linkError('invalid_token', 'The user of this link is gone', error);
  if (error.code === 'provider_not_configured') return linkError('provider_credential_error', error.message, error);
  if (!error.code.startsWith('provider_') && !error.code.startsWith('oauth_')) return error;
  if (error.retryable) return linkError('provider_api_error', 'The provider could not be reached or failed', error);
  return linkError('provider_credential_error', 'The provider refused the authorization code', error);
}

interface ExchangedGrant extends Grant {
  readonly chosen: ChosenApplication;
}

async function exchange(context: LinkContext, session: LinkSession, callback: OAuthCallback): Promise<ExchangedGrant> {
  const connector = connectorOf(context, callback.provider);
  const chosen = await chooseApplication(context.database, context, session.teamId, callback.provider);
  if (callback.code === undefined) throw linkError('provider_credential_error', 'The provider sent no authorization code');
  const tokens = await context.oauth.exchangeCode({
    connector,
    application: chosen.application,
    redirectUrl: callbackUrl(context, chosen, callback.provider),
    code: callback.code,
    codeVerifier: session.codeVerifier && context.cipher.open(session.codeVerifier, verifierContext(session.sessionId)),
    signal: AbortSignal.timeout(exchangeTimeoutMs),
  });
  const grantedScopes = tokens.scopes ?? connector.oauth.scopes;
  return { connector, chosen, application: chosen.owner, tokens, providerUserId: tokens.providerUserId, grantedScopes };
}

async function learnAccount(context: LinkContext, { connector, chosen, tokens, grantedScopes }: ExchangedGrant) {
  try {
    const { application } = chosen;
    return await context.oauth.account({
      connector,
      application,
      accessToken: tokens.accessToken,
      grantedScopes,
      signal: AbortSignal.timeout(accountTimeoutMs),
    });
  } catch (error) {
    // The code is spent: facts about the account can be learned later, as long as we know whose tokens these are.
    if (tokens.providerUserId === null) throw error;
    context.logger.warn({ provider: connector.slug, error }, 'link.account_not_read');
    return { providerUserId: null, account: {} };
  }
}

async function accept(context: LinkContext, session: LinkSession, grant: ExchangedGrant, traceId: string | null): Promise<AcceptedLink> {
  const { connector, application, tokens, grantedScopes } = grant;
  const mustGrant = await findMustGrantScopes(context.database, session.teamId, connector.slug);
  const missing = mustGrant.filter((scope) => !grantedScopes.includes(scope));
  if (missing.length > 0) throw linkError('required_scopes_not_granted', `The user did not grant: ${missing.join(', ')}`);
  const { providerUserId, account } = await learnAccount(context, grant);
  return {
    connector,
    application,
    tokens,
    providerUserId: grant.providerUserId ?? providerUserId,
    grantedScopes,
    deniedScopes: connector.oauth.scopes.filter((scope) => !grantedScopes.includes(scope)),
    account,
    traceId,
  };
}

async function link(context: LinkContext, session: LinkSession, callback: OAuthCallback): Promise<string> {
  if (session.state === 'open' || session.startedProvider !== callback.provider) {
    throw linkError('token_not_validated', 'The flow was not started with this token for this provider');
  }
  if (callback.error !== undefined) throw refusal(callback.error);
  const turn = await takeCallbackTurn(context, session, AbortSignal.timeout(waitTimeoutMs));
  let grant: Grant | null = null;
  try {
    const exchanged = await exchange(context, turn.session, callback);
    grant = exchanged;
    const accepted = await accept(context, turn.session, exchanged, callback.traceId);
    grant = accepted;
    const { connectionId } = await storeConnection(context, turn, accepted);
    return connectionId;
  } catch (error) {
    // The provider believes in a link that does not exist here.
    if (grant) await giveBack(context, turn.session, grant);
    await endCallbackTurn(context, turn);
    throw error;
  }
}

/**
 * What the callback does (contract 6.6): checks the state, exchanges the code once, checks scopes and duplicates, stores the connection.
 * A refused link is an outcome, not an error; whatever else goes wrong is thrown.
 */
export async function completeOAuthLink(context: LinkContext, callback: OAuthCallback): Promise<LinkOutcome> {
  let redirectUrl: string | null = null;
  try {
    if (callback.state === undefined) throw linkError('invalid_token', 'The provider sent no state');
    const { session, isExpired } = await readLinkSession(context, callback.state);
    redirectUrl = session.redirectUrl;
    assertUsable(session, isExpired);
    const connectionId = await link(context, session, callback);
    context.metrics.count('links_total', { provider: callback.provider, outcome: 'success' });
    return { state: 'success', connectionId, redirectUrl };
  } catch (thrown) {
    const error = asLinkError(thrown);
    const errorType = linkErrorType(error);
    if (errorType === null) throw error;
    context.logger.info({ provider: callback.provider, error_type: errorType, error }, 'link.refused');
    context.metrics.count('links_total', { provider: callback.provider, outcome: errorType });
    return { state: 'error', errorType, error: (error as Error).message, redirectUrl };
  }
}
