import { describeLinkPage } from '@pulsewire/connections';
import { showPage, type PageAnswer } from '../http/answer.ts';
import { errorWords, knownErrorType, type Words } from '../words/link-errors.ts';
import type { PageContext, PageRequest } from './context.ts';
import { endingAnswer } from './ending.ts';
import { openView } from './open-page.ts';

// The callback of a provider comes back with it. What the session says is trusted, this is only said.
function alertOf(request: PageRequest, name: string | undefined): Words | null {
  const errorType = request.value('state') === 'error' ? knownErrorType(request.value('error_type')) : null;
  return errorType === null ? null : errorWords(errorType, name);
}

/** GET of the page: what its session is about to do, or how it ended. */
export async function showLinkPage(context: PageContext, request: PageRequest): Promise<PageAnswer> {
  const token = request.token ?? '';
  const page = await describeLinkPage(context.links, token);
  if (page.kind !== 'open') return endingAnswer(context, page, 'address');
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
