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
import { showPage, type PageAnswer } from '../http/answer.ts';
import { confirmStepView } from '../pages/confirm-step.ts';
import { consentTooLate, declined, errorWords, otherBrowser } from '../words/link-errors.ts';
import type { PageContext, PageRequest } from './context.ts';
import { endingAnswer, leaveAfterForm, safeLocation } from './ending.ts';
import { openView, type OpenPage } from './open-page.ts';
import { tryOnce } from './try-once.ts';

type Found = { readonly page: OpenPage; readonly offer: ConsentOffer; readonly consent: string; readonly token: string };

/** The open session and what is to be confirmed in it, or the answer where there is nothing. */
async function find(context: PageContext, request: PageRequest, from: 'address' | 'form'): Promise<Found | PageAnswer> {
  const token = request.token ?? '';
  const page = await describeLinkPage(context.links, token);
  if (page.kind !== 'open') return endingAnswer(context, page, from);
  const consent = request.value('consent');
  const offer = await readConsentOffer(context.links, { token, consent }).catch((error: unknown) => {
    if (linkErrorType(error) === null) throw error;
    return null;
  });
  if (offer === null || consent === undefined) return showPage(openView(context, page, { token, isAgain: true, alert: consentTooLate }));
  return { page, offer, consent, token };
}

const refused = (context: PageContext, { page, offer, token }: Found): PageAnswer =>
  showPage(openView(context, page, { token, slug: offer.provider, isAgain: true, alert: otherBrowser }), 403);

/**
 * GET after the provider's own pages: asks whether this account is to be connected to the team. Only the browser that started the flow is
 * asked: whoever was sent into another person's flow is told so, and nothing of theirs is stored.
 */
export async function askToConfirm(context: PageContext, request: PageRequest): Promise<PageAnswer> {
  const found = await find(context, request, 'address');
  if ('kind' in found) return found;
  const { page, offer, consent, token } = found;
  const { links, places } = context;
  const given = request.cookie(browserCookieName(links, offer.sessionId));
  const isKnown = isBrowserKey(links, offer.sessionId, given);
  if (!isKnown && offer.mustHaveStarted) {
    // Whoever signed in at the provider was sent into this flow: what they granted is taken back.
    await declineOAuthLink(links, { token, consent });
    return refused(context, found);
  }
  // Not the page's list: a flow that was started with a key may be to a provider that the page does not offer.
  const connector = links.connectorFor(offer.provider);
  if (!connector) return showPage(openView(context, page, { token, isAgain: true, alert: consentTooLate }));
  const fresh = isKnown ? null : createBrowserCookie(links, offer.sessionId);
  const cookie = fresh?.value ?? given ?? '';
  const { teamName } = page;
  const shown = { ...connector, resources: Object.keys(connector.resources) };
  const state = { token, teamName, connector: shown, consent, formKey: formKey(links, cookie, consent) };
  const headers = fresh ? { 'set-cookie': fresh.header } : {};
  return { kind: 'page', status: 200, view: confirmStepView(places, state), headers };
}

/** POST of the answer, from the same browser and from our own page: connects, or leaves everything as it was. */
export async function confirmLink(context: PageContext, request: PageRequest): Promise<PageAnswer> {
  const found = await find(context, request, 'form');
  if ('kind' in found) return found;
  const { page, offer, consent, token } = found;
  const { links } = context;
  const cookie = request.cookie(browserCookieName(links, offer.sessionId));
  const isOurs = isBrowserKey(links, offer.sessionId, cookie) && isFormKey(links, cookie ?? '', consent, request.value('key'));
  if (!isOurs) return refused(context, found);
  const name = links.connectorFor(offer.provider)?.name;
  const choice = { token, slug: offer.provider, isAgain: true };
  if (request.value('decision') !== 'connect') {
    const location = safeLocation((await declineOAuthLink(links, { token, consent })).location);
    if (location !== null) return leaveAfterForm(location);
    return showPage(openView(context, page, { ...choice, alert: declined }));
  }
  return tryOnce(context, page, {
    choice,
    work: () => confirmOAuthLink(links, { token, teamId: null, provider: offer.provider, consent, traceId: request.traceId }),
    words: ({ errorType }) => errorWords(errorType, name),
  });
}
