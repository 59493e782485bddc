import { run } from '@pulsewire/database';
import { and, eq, sql } from 'drizzle-orm';
import { chooseApplication } from '../../context/applications.ts';
import type { LinkContext } from '../../context/context.ts';
import { linkableConnector } from '../../context/find-connector.ts';
import { connectGrant } from './connect-grant.ts';
import type { ExchangedGrant } from './grant.ts';
import { findHeldConsent, openTokenResponse, type HeldConsent } from './held-consent.ts';
import { revokeHeldConsent } from './revoke-held-consent.ts';
import { attemptLink, type LinkAttempt } from '../session/attempt-link.ts';
import { linkError } from '../session/link-error.ts';
import { locationAfterConfirmation } from '../session/link-location.ts';
import { withLinkLock } from '../session/link-lock.ts';
import type { LinkFailure, LinkOutcome, LinkSuccess } from '../session/link-outcome.ts';
import { readLinkSession, type LinkSession } from '../session/session.ts';
import { connections, linkSessions } from '../../model/tables.ts';

/** A consent that the browser may confirm after returning from the provider. */
export interface ConsentOffer {
  readonly sessionId: string;
  readonly provider: string;
  /** The flow started on our page, so the browser must have its key (`isBrowserKey`); otherwise it gets the key now. */
  readonly mustHaveStarted: boolean;
}

interface ConsentReference {
  readonly token: string;
  readonly consent: string | undefined;
}

/** How a confirmation ended, and where to redirect the browser; null: our page shows the outcome. */
export type ConfirmationOutcome = LinkOutcome & { readonly location: string | null };

/** Reads a consent for the page; null when there is nothing to confirm. Throws a link error `invalid_token`. */
export async function readConsentOffer(context: LinkContext, { token, consent }: ConsentReference): Promise<ConsentOffer | null> {
  const { session } = await readLinkSession(context, { token, teamId: null });
  const held = await findHeldConsent(context, session.sessionId, consent);
  return held && { sessionId: session.sessionId, provider: held.provider, mustHaveStarted: session.startedFrom === 'page' };
}

/** The held tokens with their application. Throws a link error when the team has another application now. */
async function grantOf(context: LinkContext, session: LinkSession, held: HeldConsent): Promise<ExchangedGrant> {
  const connector = linkableConnector(context, held.provider, 'oauth');
  const chosen = await chooseApplication(context.database, context, session.teamId, held.provider);
  if (chosen.owner !== held.application) throw linkError('token_not_validated', "The team's application has changed in the meantime");
  const response = openTokenResponse(context, held);
  return { connector, chosen, application: chosen.owner, providerUserId: held.providerUserId, ...response };
}

function connectHeld(context: LinkContext, session: LinkSession, consent: string, traceId: string | null): Promise<LinkSuccess> {
  return withLinkLock(context, session, async (lock) => {
    const held = await findHeldConsent(context, session.sessionId, consent);
    if (held === null) throw linkError('token_not_validated', 'There is no consent to confirm, or it has expired');
    try {
      const grant = await grantOf(context, lock.session, held);
      return await connectGrant(context, lock, grant, { traceId, consentId: held.consentId });
    } catch (error) {
      await revokeHeldConsent(context, held).catch((failure: unknown) => {
        // It is revoked after its expiry.
        context.logger.warn({ provider: held.provider, error: failure }, 'link.consent_revoke_failed');
      });
      throw error;
    }
  });
}

/** The connection that an earlier click has already created with this consent; null when there is none. */
async function findConfirmedConnection(
  context: LinkContext,
  session: LinkSession,
  consent: string,
  outcome: LinkOutcome,
): Promise<LinkSuccess | null> {
  if (outcome.state !== 'error' || outcome.errorType !== 'token_consumed') return null;
  const { connectionId, externalUserId } = connections;
  const { userId, teamId, startedProvider } = linkSessions;
  const isOfSession = and(eq(connections.userId, userId), eq(connections.teamId, teamId), eq(connections.provider, startedProvider));
  const isConsent = sql`${linkSessions.consentId}::text = ${consent}`;
  const [made] = await run(
    context.database.orm
      .select({ connectionId, externalUserId })
      .from(linkSessions)
      .innerJoin(connections, isOfSession)
      .where(and(eq(linkSessions.sessionId, session.sessionId), eq(teamId, session.teamId), isConsent)),
  );
  return made ? { state: 'success', ...made, redirectUrl: session.redirectUrl } : null;
}

/**
 * Stores the connection that the user confirmed on our page. The caller has checked that the browser is the one that returned from the
 * provider. A consent that leads to no connection is revoked at the provider. A rejected link is an outcome. Throws AppError `link_busy`.
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

/** The user declined, or did not start the flow: the consent is revoked at the provider, and the session stays open. */
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
