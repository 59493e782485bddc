import type { AccountFacts } from '@pulsewire/providers';
import { chooseApplication, linkableConnector, type OAuthConnector } from '../applications.ts';
import type { LinkContext } from '../context.ts';
import { findMustGrantScopes } from '../teams/scope-requirements.ts';
import { giveBack, type ExchangedGrant, type Grant } from './grant.ts';
import { linkError } from './link-error.ts';
import { confirmPageUrl, locationAfterCallback } from './link-location.ts';
import type { LinkFailure, LinkSuccess } from './link-outcome.ts';
import { inLinkTurn } from './link-turn.ts';
import { learnAccount } from './learn-account.ts';
import { sealConsent } from './pending-consent.ts';
import { sessionSealContext, type LinkSession } from './session.ts';
import { callbackUrl } from './start-oauth-link.ts';
import { storeConnection, type AcceptedLink } from './store-connection.ts';
import { tryLink } from './try-link.ts';

/** Query of the callback as the provider sent it; unknown keys do not matter. */
export interface OAuthCallback {
  readonly provider: string;
  readonly state: string | undefined;
  readonly code: string | undefined;
  readonly error: string | undefined;
  /** What the user granted, where the provider says it here. */
  readonly scope?: string | undefined;
  readonly traceId: string | null;
}

const exchangeTimeoutMs = 15_000;

// Only codes that look like OAuth's own words come back to the page; the rest of the query is the outside world's.
function refusal(error: string): Error {
  if (error === 'access_denied') return linkError('user_cancelled', 'The user did not agree at the provider');
  const word = /^[\w.-]{1,64}$/.test(error) ? error : 'unreadable error';
  return linkError('provider_credential_error', `The provider refused the authorization: ${word}`);
}

/** What the callback says was granted, where it says so; null otherwise. */
function callbackScopes({ oauth }: OAuthConnector, { scope }: OAuthCallback): readonly string[] | null {
  if (oauth.grantedScopesIn !== 'callback' || scope === undefined) return null;
  const names = scope.split(oauth.scopeSeparator ?? ' ').map((name) => name.trim());
  return names.filter((name) => name !== '').slice(0, 100);
}

async function exchange(context: LinkContext, session: LinkSession, callback: OAuthCallback): Promise<ExchangedGrant> {
  const connector = linkableConnector(context, callback.provider, 'oauth');
  const chosen = await chooseApplication(context.database, context, session.teamId, callback.provider);
  if (callback.code === undefined) throw linkError('provider_credential_error', 'The provider sent no authorization code');
  const tokens = await context.gate.exchangeCode({
    connector,
    application: chosen.application,
    redirectUrl: callbackUrl(context, chosen, callback.provider),
    code: callback.code,
    codeVerifier: session.codeVerifier && context.cipher.open(session.codeVerifier, sessionSealContext(session.sessionId)),
    signal: AbortSignal.timeout(exchangeTimeoutMs),
  });
  const grantedScopes = callbackScopes(connector, callback) ?? tokens.scopes ?? connector.oauth.scopes;
  return { connector, chosen, application: chosen.owner, tokens, providerUserId: tokens.providerUserId, grantedScopes };
}

async function accept(
  context: LinkContext,
  session: LinkSession,
  { grant, facts, traceId }: { readonly grant: ExchangedGrant; readonly facts: AccountFacts; readonly traceId: string | null },
): Promise<AcceptedLink> {
  const { connector, application, tokens } = grant;
  const { providerUserId, account, grantedScopes = grant.grantedScopes } = facts;
  const mustGrant = await findMustGrantScopes(context.database, session.teamId, connector.slug);
  const missing = mustGrant.filter((scope) => !grantedScopes.includes(scope));
  if (missing.length > 0) throw linkError('required_scopes_not_granted', `The user did not grant: ${missing.join(', ')}`);
  const deniedScopes = connector.oauth.scopes.filter((scope) => !grantedScopes.includes(scope));
  const redirectUrl = callbackUrl(context, grant.chosen, connector.slug);
  return {
    connector,
    application,
    tokens,
    redirectUrl,
    providerUserId,
    externalUserId: null,
    grantedScopes,
    deniedScopes,
    account,
    traceId,
  };
}

function assertStarted(session: LinkSession, { provider }: OAuthCallback): void {
  if (session.state === 'open' || session.startedProvider !== provider)
    throw linkError('token_not_validated', 'The flow was not started with this token for this provider');
}

/** Exchanges the code once, checks scopes and duplicates, and stores the connection. Throws link errors. */
export async function completeCallback(context: LinkContext, session: LinkSession, callback: OAuthCallback): Promise<LinkSuccess> {
  assertStarted(session, callback);
  if (callback.error !== undefined) throw refusal(callback.error);
  return inLinkTurn(context, session, async (turn) => {
    let grant: Grant | null = null;
    try {
      const exchanged = await exchange(context, turn.session, callback);
      grant = exchanged;
      const facts = await learnAccount(context, turn.session, exchanged);
      // Whatever comes now, it is known whose consent it is: another connection may live by it.
      grant = { ...exchanged, providerUserId: facts.providerUserId };
      const accepted = await accept(context, turn.session, { grant: exchanged, facts, traceId: callback.traceId });
      grant = accepted;
      const { connectionId, externalUserId } = await storeConnection(context, turn, accepted);
      return { state: 'success', connectionId, externalUserId, redirectUrl: session.redirectUrl };
    } catch (error) {
      // The provider believes in a link that does not exist here.
      if (grant) await giveBack(context, turn.session, grant);
      throw error;
    }
  });
}

/** The provider agreed; the person has to say on our page that this account is meant. */
interface ConfirmationPending {
  readonly state: 'pending_confirmation';
  /** For our page; opens with the session. */
  readonly consent: string;
}

/**
 * A flow that the team's server has started with its key ends here, as the team's app expects. Any other one began in a browser of which
 * we know nothing: a person may have been sent into it by somebody else, so nothing is stored before they have agreed on our page.
 */
async function answerCallback(
  context: LinkContext,
  session: LinkSession,
  callback: OAuthCallback,
): Promise<LinkSuccess | ConfirmationPending> {
  const { provider, code, scope = null } = callback;
  if (session.startedFrom === 'api' || callback.error !== undefined || code === undefined)
    return completeCallback(context, session, callback);
  assertStarted(session, callback);
  return { state: 'pending_confirmation', consent: sealConsent(context, session.sessionId, { provider, code, scope }) };
}

/** How a callback ended, and where the browser goes now; null: nowhere, say it on a page. */
export type CallbackOutcome =
  | ((LinkSuccess | LinkFailure) & { readonly location: string | null })
  | (ConfirmationPending & { readonly location: string });

/**
 * What the callback does: checks the state, exchanges the code once, checks scopes and duplicates, stores the connection.
 * Flows that the team's server did not start go to our page for confirmation first, with the code sealed in the address.
 * A refused link is an outcome, not an error; whatever else goes wrong is thrown.
 */
export async function completeOAuthLink(context: LinkContext, callback: OAuthCallback): Promise<CallbackOutcome> {
  const attempt = { token: callback.state, teamId: null, provider: callback.provider, traceId: callback.traceId };
  const { outcome, session } = await tryLink(context, attempt, (found) => answerCallback(context, found, callback));
  if (outcome.state === 'pending_confirmation')
    return { ...outcome, location: confirmPageUrl(context, callback.state ?? '', outcome.consent) };
  return { ...outcome, location: locationAfterCallback(context, { session, token: callback.state, outcome }) };
}
