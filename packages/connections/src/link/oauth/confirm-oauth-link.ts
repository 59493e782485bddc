import { chooseApplication } from '../../context/applications.ts';
import type { LinkContext } from '../../context/context.ts';
import { linkableConnector } from '../../context/find-connector.ts';
import { attemptLink, type LinkAttempt } from '../session/attempt-link.ts';
import { linkError } from '../session/link-error.ts';
import { locationAfterConfirmation } from '../session/link-location.ts';
import { withLinkLock } from '../session/link-lock.ts';
import type { LinkFailure, LinkOutcome, LinkSuccess } from '../session/link-outcome.ts';
import { readLinkSession, type LinkSession } from '../session/session.ts';
import { connectGrant } from './connect-grant.ts';
import type { ExchangedGrant } from './grant.ts';
import { findHeldConsent, openTokenResponse, type HeldConsent } from './held-consent.ts';
import { revokeHeldConsent } from './revoke-held-consent.ts';

/** What a browser that came back from a provider may confirm. */
export interface ConsentOffer {
  readonly sessionId: string;
  readonly provider: string;
  /** The flow began on our page, so its browser has a key (`isBrowserKey`); else the key is given to it now. */
  readonly mustHaveStarted: boolean;
}

interface ConsentReference {
  readonly token: string;
  readonly consent: string | undefined;
}

/** How a confirmation ended, and where the browser goes now; null: our page says it. */
export type ConfirmationOutcome = LinkOutcome & { readonly location: string | null };

/** Reads a consent for the page; null when there is nothing (or nothing any more) to be confirmed. Throws a link error `invalid_token`. */
export async function readConsentOffer(context: LinkContext, { token, consent }: ConsentReference): Promise<ConsentOffer | null> {
  const { session } = await readLinkSession(context, { token, teamId: null });
  const held = await findHeldConsent(context, session.sessionId, consent);
  return held && { sessionId: session.sessionId, provider: held.provider, mustHaveStarted: session.startedFrom === 'page' };
}

/** The held tokens with the application that they belong to. Throws a link error when the team has another one now. */
async function grantOf(context: LinkContext, session: LinkSession, held: HeldConsent): Promise<ExchangedGrant> {
  const connector = linkableConnector(context, held.provider, 'oauth');
  const chosen = await chooseApplication(context.database, context, session.teamId, held.provider);
  if (chosen.owner !== held.application) throw linkError('token_not_validated', 'The application of the team has changed meanwhile');
  const answer = openTokenResponse(context, held);
  return { connector, chosen, application: chosen.owner, providerUserId: held.providerUserId, ...answer };
}

function connectHeld(context: LinkContext, session: LinkSession, consent: string, traceId: string | null): Promise<LinkSuccess> {
  return withLinkLock(context, session, async (lock) => {
    const held = await findHeldConsent(context, session.sessionId, consent);
    if (held === null) throw linkError('token_not_validated', 'There is no consent to confirm, or it is too old');
    try {
      const grant = await grantOf(context, lock.session, held);
      return await connectGrant(context, lock, grant, { traceId, consentId: held.consentId });
    } catch (error) {
      await revokeHeldConsent(context, held).catch((failure: unknown) => {
        // It is given back when its time is over.
        context.logger.warn({ provider: held.provider, error: failure }, 'link.consent_not_given_back');
      });
      throw error;
    }
  });
}

/** The connection that this same answer has made, sent a moment before by a second click; null where it made none. */
async function findConfirmedConnection(
  context: LinkContext,
  session: LinkSession,
  consent: string,
  outcome: LinkOutcome,
): Promise<LinkSuccess | null> {
  if (outcome.state !== 'error' || outcome.errorType !== 'token_consumed') return null;
  const [made] = await context.database.sql<{ connectionId: string; externalUserId: string | null }[]>`
    SELECT c.connection_id AS "connectionId", c.external_user_id AS "externalUserId"
    FROM link_sessions s JOIN connections c ON c.user_id = s.user_id AND c.team_id = s.team_id AND c.provider = s.started_provider
    WHERE s.session_id = ${session.sessionId} AND s.team_id = ${session.teamId} AND s.consent_id::text = ${consent}`;
  return made ? { state: 'success', ...made, redirectUrl: session.redirectUrl } : null;
}

/**
 * What the person has agreed to on our page: the connection is stored now, and not before. The caller has made sure that the browser is the
 * one that came back from the provider. What comes to no connection is given back to the provider. A refused link is an outcome; AppError
 * `link_busy`.
 */
export async function confirmOAuthLink(
  context: LinkContext,
  { consent, ...attempt }: LinkAttempt & { readonly consent: string },
): Promise<ConfirmationOutcome> {
  const tried = await attemptLink(context, attempt, (found) => connectHeld(context, found, consent, attempt.traceId));
  const { session } = tried;
  const outcome = (session && (await findConfirmedConnection(context, session, consent, tried.outcome))) ?? tried.outcome;
  return { ...outcome, location: locationAfterConfirmation(session, outcome) };
}

/** The person has decided against it, or is not the one who started the flow: the provider is told, and the session goes on. */
export async function declineOAuthLink(
  context: LinkContext,
  { token, consent }: ConsentReference,
): Promise<LinkFailure & ConfirmationOutcome> {
  const attempt: LinkAttempt = { token, teamId: null, provider: '', traceId: null };
  const { outcome, session } = await attemptLink<never>(context, attempt, async (found) => {
    const held = await findHeldConsent(context, found.sessionId, consent);
    if (held) await revokeHeldConsent(context, held);
    throw linkError('user_cancelled', 'The user did not confirm the connection');
  });
  return { ...outcome, location: locationAfterConfirmation(session, outcome) };
}
