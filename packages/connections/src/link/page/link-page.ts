import type { LinkErrorType } from '@pulsewire/contract';
import type { LinkContext } from '../../context/context.ts';
import { pageProviders, type PageProvider } from './page-providers.ts';
import { pendingChallenge } from '../password/mfa-challenge.ts';
import { attemptLink } from '../session/attempt-link.ts';
import { linkError, linkErrorType } from '../session/link-error.ts';
import { locationFromPage } from '../session/link-location.ts';
import type { LinkOutcome, LinkRequested, PendingChallenge } from '../session/link-outcome.ts';
import { readLinkSession, type LinkSession } from '../session/session.ts';
import { findTeam } from '../../teams/team.ts';

/** What the hosted link page shows. `location`: redirect the browser there instead. */
export type LinkPage =
  | {
      readonly kind: 'open';
      /** The team that will read the data. */
      readonly teamName: string;
      readonly sessionId: string;
      /** Only one when the token is limited to it. */
      readonly providers: readonly PageProvider[];
      readonly isPinned: boolean;
      /** Set while a code or a choice is pending. */
      readonly mfa: (PendingChallenge & { readonly provider: string }) | null;
    }
  | { readonly kind: 'linked'; readonly provider: string | null; readonly location: string | null }
  | { readonly kind: 'refused'; readonly errorType: LinkErrorType; readonly error: string; readonly location: string | null };

function pendingMfa(context: LinkContext, session: LinkSession): Extract<LinkPage, { kind: 'open' }>['mfa'] {
  const { mfa, startedProvider: provider } = session;
  if (mfa === null || provider === null || mfa.expiresAt.getTime() <= context.clock.now().getTime()) return null;
  return { provider, ...pendingChallenge(context, session, mfa) };
}

/** What our page, which has only the token, may show of its session. Does not throw for an invalid token. */
export async function describeLinkPage(context: LinkContext, token: string | undefined): Promise<LinkPage> {
  let session: LinkSession | null = null;
  try {
    const found = await readLinkSession(context, { token, teamId: null });
    session = found.session;
    if (session.state === 'success')
      return { kind: 'linked', provider: session.startedProvider, location: locationFromPage(session, { state: 'success' }) };
    if (found.isExpired) throw linkError('token_expired', 'The link token is older than 60 minutes');
    const providers = await pageProviders(context, session);
    const { name: teamName = 'the app' } = (await findTeam(context.database, session.teamId)) ?? {};
    const { sessionId } = session;
    return { kind: 'open', teamName, sessionId, providers, isPinned: session.provider !== null, mfa: pendingMfa(context, session) };
  } catch (error) {
    const errorType = linkErrorType(error);
    if (errorType === null) throw error;
    const { message } = error as Error;
    return {
      kind: 'refused',
      errorType,
      error: message,
      location: locationFromPage(session, { state: 'error', errorType, error: message }),
    };
  }
}

/** Where our page redirects the browser after an attempt; null: it shows the outcome, and the user may try again. */
export async function locationAfterAttempt(
  context: LinkContext,
  token: string | undefined,
  outcome: LinkOutcome | LinkRequested,
): Promise<string | null> {
  if (outcome.redirectUrl === null) return null;
  const { session } = await readLinkSession(context, { token, teamId: null });
  return locationFromPage(session, outcome);
}

/**
 * The user closes our page: stored as `user_cancelled`. Returns where to redirect the browser (`on_close`); null: the page shows the end.
 */
export async function closeLinkPage(context: LinkContext, token: string | undefined): Promise<string | null> {
  const attempt = { token, teamId: null, provider: '', traceId: null };
  const { outcome, session } = await attemptLink(context, attempt, () =>
    Promise.reject(linkError('user_cancelled', 'The user closed the link page')),
  );
  return locationFromPage(session, outcome);
}
