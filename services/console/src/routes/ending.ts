import { isRedirectAllowed, manualProviders, type LinkPage } from '@pulsewire/connections';
import { redirectTo, showPage, type PageAnswer } from '../http/answer.ts';
import { leaveView, linkedView, refusedView } from '../pages/ending.ts';
import type { PageContext } from './context.ts';

/**
 * The address, when a browser may be sent there. Which schemes its app has, the team registered before the session was made; here
 * only those are left out that nobody can register.
 */
export function safeLocation(location: string | null): string | null {
  const url = location === null ? null : URL.parse(location);
  return url === null || !isRedirectAllowed(url.toString(), [url.protocol.slice(0, -1)]) ? null : url.toString();
}

/** Leaves after a form was sent. */
export function leaveAfterForm(location: string): PageAnswer {
  return showPage(leaveView(location));
}

/** A session that is over: on to where the team wants the browser, or the last words here. */
export function endingAnswer(context: PageContext, page: Exclude<LinkPage, { kind: 'open' }>, from: 'address' | 'form'): PageAnswer {
  const location = safeLocation(page.location);
  if (location !== null) return from === 'form' ? leaveAfterForm(location) : redirectTo(location);
  if (page.kind === 'refused') return showPage(refusedView(page.errorType));
  const { provider: slug } = page;
  const source = manualProviders.find((provider) => provider.slug === slug);
  return showPage(linkedView(source ?? (slug === null ? undefined : context.links.connectorFor(slug))));
}
