import type { LinkContext } from '../context.ts';
import { completeCallback } from './complete-oauth-link.ts';
import { linkError } from './link-error.ts';
import type { LinkOutcome } from './link-outcome.ts';
import { openConsent } from './pending-consent.ts';
import { readLinkSession } from './session.ts';
import { tryLink, type LinkTry } from './try-link.ts';

/** What a browser that came back from a provider may confirm. */
export interface ConsentOffer {
  readonly sessionId: string;
  readonly provider: string;
  /** The flow began on our page, so its browser has a key (`isBrowserKey`); else the key is given to it now. */
  readonly mustHaveStarted: boolean;
}

/** Reads a sealed consent for the page; null when there is nothing (or nothing any more) to be confirmed. Throws a link error `invalid_token`. */
export async function readConsentOffer(
  context: LinkContext,
  { token, consent }: { readonly token: string; readonly consent: string | undefined },
): Promise<ConsentOffer | null> {
  const { session } = await readLinkSession(context, { token, teamId: null });
  const opened = openConsent(context, session.sessionId, consent);
  if (opened === null || session.startedProvider !== opened.provider) return null;
  return { sessionId: session.sessionId, provider: opened.provider, mustHaveStarted: session.startedFrom === 'page' };
}

/**
 * What the person has agreed to on our page: the code is exchanged and the connection stored now, and not before. The caller has made
 * sure that the browser is the one that came back from the provider. A refused link is an outcome; AppError `link_busy`.
 */
export async function confirmOAuthLink(
  context: LinkContext,
  { token, consent, traceId }: { readonly token: string; readonly consent: string; readonly traceId: string | null },
): Promise<LinkOutcome> {
  const attempt: LinkTry = { token, teamId: null, provider: '', traceId };
  const { outcome } = await tryLink(context, attempt, (session) => {
    const opened = openConsent(context, session.sessionId, consent);
    if (opened === null) throw linkError('token_not_validated', 'There is no consent to confirm, or it is too old');
    const { provider, code, scope } = opened;
    return completeCallback(context, session, { provider, state: token, code, error: undefined, scope: scope ?? undefined, traceId });
  });
  return outcome;
}
