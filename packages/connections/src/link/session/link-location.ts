import type { LinkContext } from '../../context/context.ts';
import type { LinkOutcome } from './link-outcome.ts';
import type { LinkSession } from './session.ts';

type Ended = Pick<LinkOutcome, 'state'> & { readonly errorType?: string; readonly error?: string };

function withOutcome(address: string, outcome: Ended): string {
  const url = new URL(address);
  url.searchParams.set('state', outcome.state);
  if (outcome.errorType !== undefined) url.searchParams.set('error_type', outcome.errorType);
  if (outcome.error !== undefined) url.searchParams.set('error', outcome.error);
  return url.toString();
}

/**
 * Where a page of ours sends the browser after a try that it made itself: to the session's address on success, on an
 * error with `on_error`, on closing with `on_close`. Null: the page says it itself and goes on.
 */
export function locationFromPage(session: LinkSession | null, outcome: Ended): string | null {
  if (!session?.redirectUrl || outcome.state === 'pending_provider_mfa') return null;
  const goesOn = outcome.state === 'error' && (outcome.errorType === 'user_cancelled' ? session.onClose : session.onError) !== 'redirect';
  return goesOn ? null : withOutcome(session.redirectUrl, outcome);
}

/**
 * Where the callback sends the browser: the session's address; for a flow that our page started, back to that
 * page when it is the one to say how it ended. Null: there is nowhere to go.
 */
export function locationAfterCallback(
  context: LinkContext,
  { session, token, outcome }: { readonly session: LinkSession | null; readonly token: string | undefined; readonly outcome: Ended },
): string | null {
  if (!session) return null;
  if (session.startedFrom !== 'page') return session.redirectUrl && withOutcome(session.redirectUrl, outcome);
  // Not agreeing at the provider is no closing of the page: there another provider can be chosen.
  const isShown = outcome.state === 'error' && session.onError !== 'redirect';
  if (session.redirectUrl && !isShown) return withOutcome(session.redirectUrl, outcome);
  return withOutcome(linkPageUrl(context, token ?? ''), outcome);
}

/** Where the page that asked for confirmation sends the browser: an app whose flow began elsewhere hears every outcome. */
export function locationAfterConfirmation(session: LinkSession | null, outcome: Ended): string | null {
  if (session === null || session.startedFrom === 'page') return locationFromPage(session, outcome);
  return session.redirectUrl && withOutcome(session.redirectUrl, outcome);
}

/** The page that asks whether the account is to be connected. */
export function confirmPageUrl(context: LinkContext, token: string, consent: string): string {
  return `${context.linkWebUrl()}/confirm?${new URLSearchParams({ token, consent }).toString()}`;
}

/** The hosted link page with a token in its query. */
export function linkPageUrl(context: LinkContext, token: string): string {
  return `${context.linkWebUrl()}?token=${encodeURIComponent(token)}`;
}
