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
 * Where our page redirects the browser after its own attempt: to the session's address on success, after an error with `on_error`, after
 * closing with `on_close`. Null: the page shows the outcome itself.
 */
export function locationFromPage(session: LinkSession | null, outcome: Ended): string | null {
  if (!session?.redirectUrl || outcome.state === 'pending_provider_mfa') return null;
  const isShown = outcome.state === 'error' && (outcome.errorType === 'user_cancelled' ? session.onClose : session.onError) !== 'redirect';
  return isShown ? null : withOutcome(session.redirectUrl, outcome);
}

/**
 * Where the callback redirects the browser: to the session's address; a flow started on our page returns there when the page shows the
 * outcome. Null: there is no address.
 */
export function locationAfterCallback(
  context: LinkContext,
  { session, token, outcome }: { readonly session: LinkSession | null; readonly token: string | undefined; readonly outcome: Ended },
): string | null {
  if (!session) return null;
  if (session.startedFrom !== 'page') return session.redirectUrl && withOutcome(session.redirectUrl, outcome);
  // Cancelling at the provider does not close the page: the user can choose another provider there.
  const isShown = outcome.state === 'error' && session.onError !== 'redirect';
  if (session.redirectUrl && !isShown) return withOutcome(session.redirectUrl, outcome);
  return withOutcome(linkPageUrl(context, token ?? ''), outcome);
}

/** Where the confirmation page redirects the browser: an app that started the flow itself receives every outcome. */
export function locationAfterConfirmation(session: LinkSession | null, outcome: Ended): string | null {
  if (session === null || session.startedFrom === 'page') return locationFromPage(session, outcome);
  return session.redirectUrl && withOutcome(session.redirectUrl, outcome);
}

/** The page on which the user confirms the connection. */
export function confirmPageUrl(context: LinkContext, token: string, consent: string): string {
  return `${context.linkWebUrl().replace(/\/+$/, '')}/confirm?${new URLSearchParams({ token, consent }).toString()}`;
}

/** The hosted link page with a token in its query. */
export function linkPageUrl(context: LinkContext, token: string): string {
  return `${context.linkWebUrl()}?token=${encodeURIComponent(token)}`;
}
