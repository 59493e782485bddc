import {
  browserCookieName,
  createBrowserCookie,
  describeLinkPage,
  isBrowserKey,
  linkErrorType,
  startOAuthLink,
} from '@pulsewire/connections';
import { isAppError } from '@pulsewire/kernel';
import { redirectTo, showPage, type PageResponse } from '../http/page-response.ts';
import { errorMessage, notConfigured } from '../messages/link-errors.ts';
import type { PageContext, PageRequest } from './context.ts';
import { endResponse } from './end-response.ts';
import { openView } from './open-page.ts';

const unavailableCodes = new Set(['provider_not_configured', 'provider_unknown', 'provider_off']);

/** Redirects the browser to the provider's sign-in. Reached by a link, not a form: the policy on forms would block the redirect. */
export async function goToProvider(context: PageContext, request: PageRequest): Promise<PageResponse> {
  const token = request.token ?? '';
  const slug = request.value('provider') ?? '';
  const page = await describeLinkPage(context.links, token);
  if (page.kind !== 'open') return endResponse(context, page, 'address');
  const provider = page.providers.find((one) => one.connector.slug === slug);
  if (!provider || provider.form !== null) return showPage(openView(context, page, { token, slug, isAgain: true }));
  const { name } = provider.connector;
  try {
    const { oauthUrl } = await startOAuthLink(context.links, { token, teamId: null, provider: slug, from: 'page' });
    // Only this browser may confirm later; a second tab keeps its key.
    const kept = request.cookie(browserCookieName(context.links, page.sessionId));
    if (isBrowserKey(context.links, page.sessionId, kept)) return redirectTo(oauthUrl);
    return { kind: 'redirect', location: oauthUrl, headers: { 'set-cookie': createBrowserCookie(context.links, page.sessionId).header } };
  } catch (error) {
    const errorType = linkErrorType(error);
    if (errorType === null && !(isAppError(error) && unavailableCodes.has(error.code))) throw error;
    const now = await describeLinkPage(context.links, token);
    if (now.kind !== 'open') return endResponse(context, now, 'address');
    const alert = errorType === null ? notConfigured(name) : errorMessage(errorType, name);
    return showPage(openView(context, now, { token, slug, isAgain: true, alert }));
  }
}
