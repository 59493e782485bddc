import {
  browserCookieName,
  createBrowserCookie,
  describeLinkPage,
  isBrowserKey,
  linkErrorType,
  startOAuthLink,
} from '@pulsewire/connections';
import { isAppError } from '@pulsewire/kernel';
import { redirectTo, showPage, type PageAnswer } from '../http/answer.ts';
import { errorWords, notConfigured } from '../words/link-errors.ts';
import type { PageContext, PageRequest } from './context.ts';
import { endingAnswer } from './ending.ts';
import { openView } from './open-page.ts';

const wantingCodes = new Set(['provider_not_configured', 'provider_unknown', 'provider_off']);

/** Sends the browser to the provider's own pages. A link, not a form: a policy on forms would hold back the redirect. */
export async function goToProvider(context: PageContext, request: PageRequest): Promise<PageAnswer> {
  const token = request.token ?? '';
  const slug = request.value('provider') ?? '';
  const page = await describeLinkPage(context.links, token);
  if (page.kind !== 'open') return endingAnswer(context, page, 'address');
  const provider = page.providers.find((one) => one.connector.slug === slug);
  if (!provider || provider.form !== null) return showPage(openView(context, page, { token, slug, isAgain: true }));
  const { name } = provider.connector;
  try {
    const { oauthUrl } = await startOAuthLink(context.links, { token, teamId: null, provider: slug, from: 'page' });
    // The browser that goes is the one that may confirm; a second tab keeps its key.
    const kept = request.cookie(browserCookieName(context.links, page.sessionId));
    if (isBrowserKey(context.links, page.sessionId, kept)) return redirectTo(oauthUrl);
    return { kind: 'redirect', location: oauthUrl, headers: { 'set-cookie': createBrowserCookie(context.links, page.sessionId).header } };
  } catch (error) {
    const errorType = linkErrorType(error);
    if (errorType === null && !(isAppError(error) && wantingCodes.has(error.code))) throw error;
    const now = await describeLinkPage(context.links, token);
    if (now.kind !== 'open') return endingAnswer(context, now, 'address');
    const alert = errorType === null ? notConfigured(name) : errorWords(errorType, name);
    return showPage(openView(context, now, { token, slug, isAgain: true, alert }));
  }
}
