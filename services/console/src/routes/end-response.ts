import { isRedirectAllowed, manualProviders, type LinkPage } from '@pulsewire/connections';
import { redirectTo, showPage, type PageResponse } from '../http/page-response.ts';
import { redirectView, linkedView, refusedView } from '../pages/ending.ts';
import type { PageContext } from './context.ts';

/**
 * The address, when a browser may be redirected there. The team's schemes were checked when the session was created; this rejects only
 * those that cannot be registered.
 */
export function safeLocation(location: string | null): string | null {
  const url = location === null ? null : URL.parse(location);
  return url === null || !isRedirectAllowed(url.toString(), [url.protocol.slice(0, -1)]) ? null : url.toString();
}

/** Redirects after a form. */
export function redirectAfterForm(location: string): PageResponse {
  return showPage(redirectView(location));
}

/** The response for an ended session: a redirect to the team's address, or a final page. */
export function endResponse(context: PageContext, page: Exclude<LinkPage, { kind: 'open' }>, from: 'address' | 'form'): PageResponse {
  const location = safeLocation(page.location);
  if (location !== null) return from === 'form' ? redirectAfterForm(location) : redirectTo(location);
  if (page.kind === 'refused') return showPage(refusedView(page.errorType));
  const { provider: slug } = page;
  const source = manualProviders.find((provider) => provider.slug === slug);
  return showPage(linkedView(source ?? (slug === null ? undefined : context.links.connectorFor(slug))));
}
