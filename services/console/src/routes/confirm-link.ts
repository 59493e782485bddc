import {
  browserCookieName,
  confirmOAuthLink,
  createBrowserCookie,
  declineOAuthLink,
  describeLinkPage,
  formKey,
  isBrowserKey,
  isFormKey,
  linkErrorType,
  readConsentOffer,
  type ConsentOffer,
} from '@pulsewire/connections';
import { showPage, type PageResponse } from '../http/page-response.ts';
import { confirmStepView } from '../pages/confirm-step.ts';
import { consentExpired, declined, errorMessage, otherBrowser } from '../messages/link-errors.ts';
import type { PageContext, PageRequest } from './context.ts';
import { endResponse, redirectAfterForm, safeLocation } from './end-response.ts';
import { openView, type OpenPage } from './open-page.ts';
import { submitAttempt } from './submit-attempt.ts';

type Found = { readonly page: OpenPage; readonly offer: ConsentOffer; readonly consent: string; readonly token: string };

/** The open session and its consent; or the response when there is nothing to confirm. */
async function find(context: PageContext, request: PageRequest, from: 'address' | 'form'): Promise<Found | PageResponse> {
  const token = request.token ?? '';
  const page = await describeLinkPage(context.links, token);
  if (page.kind !== 'open') return endResponse(context, page, from);
  const consent = request.value('consent');
  const offer = await readConsentOffer(context.links, { token, consent }).catch((error: unknown) => {
    if (linkErrorType(error) === null) throw error;
    return null;
  });
  if (offer === null || consent === undefined) return showPage(openView(context, page, { token, isAgain: true, alert: consentExpired }));
  return { page, offer, consent, token };
}

const wrongBrowser = (context: PageContext, { page, offer, token }: Found): PageResponse =>
  showPage(openView(context, page, { token, slug: offer.provider, isAgain: true, alert: otherBrowser }), 403);

/**
 * GET after the provider's sign-in: shows a form to confirm the connection. Only the browser that started the flow may confirm: a user who
 * was sent into another person's flow sees an error, and nothing of theirs is stored.
 */
export async function showConfirmation(context: PageContext, request: PageRequest): Promise<PageResponse> {
  const found = await find(context, request, 'address');
  if ('kind' in found) return found;
  const { page, offer, consent, token } = found;
  const { links, places } = context;
  const given = request.cookie(browserCookieName(links, offer.sessionId));
  const isKnown = isBrowserKey(links, offer.sessionId, given);
  if (!isKnown && offer.mustHaveStarted) {
    // The user who signed in was sent into this flow by someone else: the consent is revoked.
    await declineOAuthLink(links, { token, consent });
    return wrongBrowser(context, found);
  }
  // Not from the page's list: a flow started with an API key may use a provider that the page does not offer.
  const connector = links.connectorFor(offer.provider);
  if (!connector) return showPage(openView(context, page, { token, isAgain: true, alert: consentExpired }));
  const fresh = isKnown ? null : createBrowserCookie(links, offer.sessionId);
  const cookie = fresh?.value ?? given ?? '';
  const { teamName } = page;
  const shown = { ...connector, resources: Object.keys(connector.resources) };
  const state = { token, teamName, connector: shown, consent, formKey: formKey(links, cookie, consent) };
  const headers = fresh ? { 'set-cookie': fresh.header } : {};
  return { kind: 'page', status: 200, view: confirmStepView(places, state), headers };
}

/** POST of the decision, from the same browser and our own page: connects, or changes nothing. */
export async function confirmLink(context: PageContext, request: PageRequest): Promise<PageResponse> {
  const found = await find(context, request, 'form');
  if ('kind' in found) return found;
  const { page, offer, consent, token } = found;
  const { links } = context;
  const cookie = request.cookie(browserCookieName(links, offer.sessionId));
  const isOurs = isBrowserKey(links, offer.sessionId, cookie) && isFormKey(links, cookie ?? '', consent, request.value('key'));
  if (!isOurs) return wrongBrowser(context, found);
  const name = links.connectorFor(offer.provider)?.name;
  const choice = { token, slug: offer.provider, isAgain: true };
  if (request.value('decision') !== 'connect') {
    const location = safeLocation((await declineOAuthLink(links, { token, consent })).location);
    if (location !== null) return redirectAfterForm(location);
    return showPage(openView(context, page, { ...choice, alert: declined }));
  }
  return submitAttempt(context, page, {
    choice,
    work: () => confirmOAuthLink(links, { token, teamId: null, provider: offer.provider, consent, traceId: request.traceId }),
    message: ({ errorType }) => errorMessage(errorType, name),
  });
}
