import { isConfigurationError, providerError } from '@pulsewire/providers';
import type { LinkContext } from '../../context/context.ts';
import { connectGrant } from './connect-grant.ts';
import { exchangeCode, type OAuthCallback } from './exchange-code.ts';
import { revokeGrant, type Grant } from './grant.ts';
import { findConsentOfCode, holdConsent } from './held-consent.ts';
import { attemptLink } from '../session/attempt-link.ts';
import { linkError } from '../session/link-error.ts';
import { confirmPageUrl, locationAfterCallback } from '../session/link-location.ts';
import { releaseLinkLock, withLinkLock } from '../session/link-lock.ts';
import type { LinkFailure, LinkSuccess } from '../session/link-outcome.ts';
import type { LinkSession } from '../session/session.ts';
import { findTeam } from '../../teams/team.ts';

// The query is untrusted: only text that looks like an OAuth error code is shown.
function rejection(error: string): Error {
  if (error === 'access_denied') return linkError('user_cancelled', 'The user cancelled at the provider');
  if (isConfigurationError(error)) return providerError('provider_configuration', { reason: error });
  const word = /^[\w.-]{1,64}$/.test(error) ? error : 'unreadable error';
  return linkError('provider_credential_error', `The provider rejected the authorization: ${word}`);
}

/** The code of a callback that belongs to the flow started by this session. Throws link errors. */
function codeOf(session: LinkSession, { provider, error, code }: OAuthCallback): string {
  if (session.state === 'open' || session.startedProvider !== provider)
    throw linkError('token_not_validated', 'The flow was not started with this token for this provider');
  if (error !== undefined) throw rejection(error);
  if (code === undefined) throw linkError('provider_credential_error', 'The provider sent no authorization code');
  return code;
}

/** Exchanges the code once, checks scopes and duplicates, and stores the connection. */
function connectNow(context: LinkContext, session: LinkSession, callback: OAuthCallback): Promise<LinkSuccess> {
  return withLinkLock(context, session, async (lock) => {
    let grant: Grant | null = null;
    try {
      const exchanged = await exchangeCode(context, lock.session, callback);
      grant = exchanged;
      const onUpdate = (known: Grant) => (grant = known);
      return await connectGrant(context, lock, exchanged, { traceId: callback.traceId, consentId: null, onUpdate });
    } catch (error) {
      // The provider holds a consent for a link that does not exist here.
      if (grant) await revokeGrant(context, lock.session, grant);
      throw error;
    }
  });
}

/** The provider granted access; the user must confirm on our page. */
interface ConfirmationPending {
  readonly state: 'pending_confirmation';
  /** Of the held consent, for our page. */
  readonly consentId: string;
}

/** Exchanges the code, which at some providers is valid for half a minute, and holds the tokens until the user confirms. */
function holdForConfirmation(
  context: LinkContext,
  session: LinkSession,
  callback: OAuthCallback,
  code: string,
): Promise<ConfirmationPending> {
  return withLinkLock(context, session, async (lock) => {
    const known = await findConsentOfCode(context, lock, code);
    let consentId = known;
    if (consentId === null) {
      const grant = await exchangeCode(context, lock.session, callback);
      try {
        consentId = await holdConsent(context, lock, grant, code);
      } catch (error) {
        await revokeGrant(context, lock.session, grant);
        throw error;
      }
    }
    await releaseLinkLock(context, lock);
    return { state: 'pending_confirmation', consentId };
  });
}

/**
 * A flow that the team's server started with its key ends here, unless the team requires every link to be confirmed. Any other flow started
 * in an unknown browser: someone else may have sent the user there, so nothing is connected before the user confirms on our page.
 */
async function handleCallback(
  context: LinkContext,
  session: LinkSession,
  callback: OAuthCallback,
): Promise<LinkSuccess | ConfirmationPending> {
  const code = codeOf(session, callback);
  const mayConnect = session.startedFrom === 'api' && !(await findTeam(context.database, session.teamId))?.confirmLinks;
  return mayConnect ? connectNow(context, session, callback) : holdForConfirmation(context, session, callback, code);
}

/** How a callback ended, and where to redirect the browser; null: show the outcome on a page. */
export type CallbackOutcome =
  | ((LinkSuccess | LinkFailure) & { readonly location: string | null })
  | (ConfirmationPending & { readonly location: string });

/**
 * Handles the callback: checks the state, exchanges the code once, checks scopes and duplicates, stores the connection. Flows that the
 * team's server did not start must be confirmed on our page first, and so must all flows of a team with `confirmLinks`. A rejected link is
 * an outcome; other errors are thrown.
 */
export async function completeOAuthLink(context: LinkContext, callback: OAuthCallback): Promise<CallbackOutcome> {
  const attempt = { token: callback.state, teamId: null, provider: callback.provider, traceId: callback.traceId, isCallback: true };
  const { outcome, session } = await attemptLink(context, attempt, (found) => handleCallback(context, found, callback));
  if (outcome.state === 'pending_confirmation')
    return { ...outcome, location: confirmPageUrl(context, callback.state ?? '', outcome.consentId) };
  return { ...outcome, location: locationAfterCallback(context, { session, token: callback.state, outcome }) };
}
