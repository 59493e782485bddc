import type { LinkContext } from '../../context/context.ts';
import { findTeam } from '../../teams/team.ts';
import { attemptLink } from '../session/attempt-link.ts';
import { linkError } from '../session/link-error.ts';
import { confirmPageUrl, locationAfterCallback } from '../session/link-location.ts';
import { releaseLinkLock, withLinkLock } from '../session/link-lock.ts';
import type { LinkFailure, LinkSuccess } from '../session/link-outcome.ts';
import type { LinkSession } from '../session/session.ts';
import { connectGrant } from './connect-grant.ts';
import { exchangeCode, type OAuthCallback } from './exchange-code.ts';
import { revokeGrant, type Grant } from './grant.ts';
import { findConsentOfCode, holdConsent } from './held-consent.ts';

// Only codes that look like OAuth's own words come back to the page; the rest of the query is the outside world's.
function refusal(error: string): Error {
  if (error === 'access_denied') return linkError('user_cancelled', 'The user did not agree at the provider');
  const word = /^[\w.-]{1,64}$/.test(error) ? error : 'unreadable error';
  return linkError('provider_credential_error', `The provider refused the authorization: ${word}`);
}

/** The code of a callback that belongs to the flow which this session started. Throws link errors. */
function codeOf(session: LinkSession, { provider, error, code }: OAuthCallback): string {
  if (session.state === 'open' || session.startedProvider !== provider)
    throw linkError('token_not_validated', 'The flow was not started with this token for this provider');
  if (error !== undefined) throw refusal(error);
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
      const learned = (known: Grant) => (grant = known);
      return await connectGrant(context, lock, exchanged, { traceId: callback.traceId, consentId: null, learned });
    } catch (error) {
      // The provider believes in a link that does not exist here.
      if (grant) await revokeGrant(context, lock.session, grant);
      throw error;
    }
  });
}

/** The provider agreed; the person has to say on our page that this account is meant. */
interface ConfirmationPending {
  readonly state: 'pending_confirmation';
  /** For our page; belongs to the session. */
  readonly consentId: string;
}

/** Exchanges the code, for at some providers it lives for half a minute, and holds what it brought until the person confirms. */
function askFirst(context: LinkContext, session: LinkSession, callback: OAuthCallback, code: string): Promise<ConfirmationPending> {
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
 * A flow that the team's server has started with its key ends here, as the team's app expects, unless the team wants every link confirmed.
 * Any other one began in a browser of which we know nothing: a person may have been sent into it by somebody else, so nothing is connected
 * before they have agreed on our page.
 */
async function answerCallback(
  context: LinkContext,
  session: LinkSession,
  callback: OAuthCallback,
): Promise<LinkSuccess | ConfirmationPending> {
  const code = codeOf(session, callback);
  const mayConnect = session.startedFrom === 'api' && !(await findTeam(context.database, session.teamId))?.confirmLinks;
  return mayConnect ? connectNow(context, session, callback) : askFirst(context, session, callback, code);
}

/** How a callback ended, and where the browser goes now; null: nowhere, say it on a page. */
export type CallbackOutcome =
  | ((LinkSuccess | LinkFailure) & { readonly location: string | null })
  | (ConfirmationPending & { readonly location: string });

/**
 * What the callback does: checks the state, exchanges the code once, checks scopes and duplicates, stores the connection.
 * Flows that the team's server did not start go to our page for confirmation first, and so do all flows of a team with `confirmLinks`.
 * A refused link is an outcome, not an error; whatever else goes wrong is thrown.
 */
export async function completeOAuthLink(context: LinkContext, callback: OAuthCallback): Promise<CallbackOutcome> {
  const attempt = { token: callback.state, teamId: null, provider: callback.provider, traceId: callback.traceId };
  const { outcome, session } = await attemptLink(context, attempt, (found) => answerCallback(context, found, callback));
  if (outcome.state === 'pending_confirmation')
    return { ...outcome, location: confirmPageUrl(context, callback.state ?? '', outcome.consentId) };
  return { ...outcome, location: locationAfterCallback(context, { session, token: callback.state, outcome }) };
}
