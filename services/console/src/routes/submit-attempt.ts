import { describeLinkPage, locationAfterAttempt, type LinkFailure, type LinkOutcome, type LinkRequested } from '@pulsewire/connections';
import { isAppError } from '@pulsewire/kernel';
import { redirectTo, showPage, type PageResponse } from '../http/page-response.ts';
import { pageHref, type View } from '../pages/view.ts';
import { busy, tooManyAttempts, type Message } from '../messages/link-errors.ts';
import type { PageContext } from './context.ts';
import { endResponse, redirectAfterForm, safeLocation } from './end-response.ts';
import { openView, type Choice, type OpenPage } from './open-page.ts';

/** One attempt of a form: its work, and its error message. */
export interface Attempt {
  readonly choice: Choice;
  /** `location`: where to redirect the browser, if already known. */
  work(): Promise<(LinkOutcome | LinkRequested) & { readonly location?: string | null }>;
  /** The message for the page after the attempt. */
  message(failure: LinkFailure, now: OpenPage): Message;
}

function tooManyAttemptsResponse(view: View, waitS: number): PageResponse {
  return { kind: 'page', status: 429, view, headers: { 'retry-after': String(waitS) } };
}

/** Runs one attempt within the limit of its link, and shows the outcome or redirects. */
export async function submitAttempt(context: PageContext, page: OpenPage, { choice, work, message }: Attempt): Promise<PageResponse> {
  const { token } = choice;
  const waitS = context.attempts.take(token);
  if (waitS !== null) return tooManyAttemptsResponse(openView(context, page, { ...choice, alert: tooManyAttempts }), waitS);
  let outcome: Awaited<ReturnType<typeof work>>;
  try {
    outcome = await work();
  } catch (error) {
    if (isAppError(error) && error.code === 'too_many_attempts')
      return tooManyAttemptsResponse(
        openView(context, page, { ...choice, alert: tooManyAttempts }),
        Math.ceil((error.retryAfterMs ?? 1000) / 1000),
      );
    if (!isAppError(error) || error.code !== 'link_busy') throw error;
    return showPage(openView(context, page, { ...choice, alert: busy }), 503);
  }
  const { location: known = await locationAfterAttempt(context.links, token, outcome) } = outcome;
  const location = safeLocation(known);
  if (location !== null) return redirectAfterForm(location);
  // A redirect to a GET, so that going back or reloading does not submit twice.
  if (outcome.state !== 'error') return redirectTo(pageHref(context.places, token));
  const now = await describeLinkPage(context.links, token);
  if (now.kind !== 'open') return endResponse(context, now, 'form');
  return showPage(openView(context, now, { ...choice, alert: message(outcome, now) }));
}
