import type { LinkErrorType } from '@pulsewire/contract';
import type { LinkContext } from '../../context/context.ts';
import { findTeam } from '../../teams/team.ts';
import { attemptLink } from '../session/attempt-link.ts';
import { linkError, linkErrorType } from '../session/link-error.ts';
import { locationFromPage } from '../session/link-location.ts';
import type { LinkOutcome, LinkRequested } from '../session/link-outcome.ts';
import { readLinkSession, type LinkSession } from '../session/session.ts';
import { pageProviders, type PageProvider } from './page-providers.ts';

/** What the hosted link page shows. `location`: send the browser there at once instead. */
export type LinkPage =
  | {
      readonly kind: 'open';
      /** Who will read the data. */
      readonly teamName: string;
      readonly sessionId: string;
      /** A single one when the token is pinned. */
      readonly providers: readonly PageProvider[];
      readonly isPinned: boolean;
      /** A code is awaited. */
      readonly mfa: { readonly provider: string; readonly method: 'sms' | 'email'; readonly hint: string } | null;
    }
  | { readonly kind: 'linked'; readonly provider: string | null; readonly location: string | null }
  | { readonly kind: 'refused'; readonly errorType: LinkErrorType; readonly error: string; readonly location: string | null };

function pendingMfa(context: LinkContext, session: LinkSession): Extract<LinkPage, { kind: 'open' }>['mfa'] {
  const { mfa, startedProvider: provider } = session;
  if (mfa === null || provider === null || mfa.expiresAt.getTime() <= context.clock.now().getTime()) return null;
  return { provider, method: mfa.method, hint: mfa.hint };
}

/**
 * What a page that holds nothing but the token may show of its session. Needs no key: the token is enough for our own page.
 * Never throws for a bad token.
 */
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

/** Where our page sends the browser after a try of its own that ended so; null: it says it itself, and the person may try again. */
export async function locationAfterAttempt(
  context: LinkContext,
  token: string | undefined,
  outcome: LinkOutcome | LinkRequested,
): Promise<string | null> {
  if (outcome.redirectUrl === null) return null;
  const { session } = await readLinkSession(context, { token, teamId: null });
  return locationFromPage(session, outcome);
}

/** The person closes our page: noted as `user_cancelled`. Gives where the browser goes (`on_close`); null: nowhere, the page says goodbye. */
export async function closeLinkPage(context: LinkContext, token: string | undefined): Promise<string | null> {
  const attempt = { token, teamId: null, provider: '', traceId: null };
  const { outcome, session } = await attemptLink(context, attempt, () =>
    Promise.reject(linkError('user_cancelled', 'The user left the link page')),
  );
  return locationFromPage(session, outcome);
}
