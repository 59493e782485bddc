import { describeLinkPage } from '@pulsewire/connections';
import { showPage, type PageResponse } from '../http/page-response.ts';
import { errorMessage, knownErrorType, type Message } from '../messages/link-errors.ts';
import type { PageContext, PageRequest } from './context.ts';
import { endResponse } from './end-response.ts';
import { openView } from './open-page.ts';

// The callback of a provider returns with it. Only shown: the session decides.
function alertOf(request: PageRequest, name: string | undefined): Message | null {
  const errorType = request.value('state') === 'error' ? knownErrorType(request.value('error_type')) : null;
  return errorType === null ? null : errorMessage(errorType, name);
}

/** GET of the page: the current step of its session, or how it ended. */
export async function showLinkPage(context: PageContext, request: PageRequest): Promise<PageResponse> {
  const token = request.token ?? '';
  const page = await describeLinkPage(context.links, token);
  if (page.kind !== 'open') return endResponse(context, page, 'address');
  const name = page.providers.length === 1 ? page.providers[0]?.connector.name : undefined;
  const view = openView(context, page, {
    token,
    slug: request.value('provider'),
    isList: request.value('list') === '1',
    isAgain: request.value('again') === '1',
    alert: alertOf(request, name),
  });
  return showPage(view);
}
