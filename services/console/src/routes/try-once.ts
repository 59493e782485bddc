import { describeLinkPage, locationAfterAttempt, type LinkFailure, type LinkOutcome, type LinkRequested } from '@pulsewire/connections';
import { isAppError } from '@pulsewire/kernel';
import { redirectTo, showPage, type PageAnswer } from '../http/answer.ts';
import { pageHref, type View } from '../pages/view.ts';
import { busy, tooManyTries, type Words } from '../words/link-errors.ts';
import type { PageContext } from './context.ts';
import { endingAnswer, leaveAfterForm, safeLocation } from './ending.ts';
import { openView, type Choice, type OpenPage } from './open-page.ts';

/** One try of a form: what it does, and what is said when it comes to nothing. */
export interface Try {
  readonly choice: Choice;
  /** `location`: where the browser goes now, when the work knows it. */
  work(): Promise<(LinkOutcome | LinkRequested) & { readonly location?: string | null }>;
  /** For the page as it is after the try. */
  words(failure: LinkFailure, now: OpenPage): Words;
}

function tooManyAnswer(view: View, waitS: number): PageAnswer {
  return { kind: 'page', status: 429, view, headers: { 'retry-after': String(waitS) } };
}

/** Runs one try within the limit of its link, and shows or sends on to what follows from it. */
export async function tryOnce(context: PageContext, page: OpenPage, { choice, work, words }: Try): Promise<PageAnswer> {
  const { token } = choice;
  const waitS = context.tries.take(token);
  if (waitS !== null) return tooManyAnswer(openView(context, page, { ...choice, alert: tooManyTries }), waitS);
  let outcome: Awaited<ReturnType<typeof work>>;
  try {
    outcome = await work();
  } catch (error) {
    if (isAppError(error) && error.code === 'too_many_attempts')
      return tooManyAnswer(openView(context, page, { ...choice, alert: tooManyTries }), Math.ceil((error.retryAfterMs ?? 1000) / 1000));
    if (!isAppError(error) || error.code !== 'link_busy') throw error;
    return showPage(openView(context, page, { ...choice, alert: busy }), 503);
  }
  const { location: known = await locationAfterAttempt(context.links, token, outcome) } = outcome;
  const location = safeLocation(known);
  if (location !== null) return leaveAfterForm(location);
  // By a GET, so that going back or loading again sends nothing twice.
  if (outcome.state !== 'error') return redirectTo(pageHref(context.places, token));
  const now = await describeLinkPage(context.links, token);
  if (now.kind !== 'open') return endingAnswer(context, now, 'form');
  return showPage(openView(context, now, { ...choice, alert: words(outcome, now) }));
}
