import { closeLinkPage, describeLinkPage } from '@pulsewire/connections';
import { showPage, type PageResponse } from '../http/page-response.ts';
import { closedView } from '../pages/ending.ts';
import type { PageContext, PageRequest } from './context.ts';
import { endResponse, redirectAfterForm, safeLocation } from './end-response.ts';

/** POST of the close button: stores `user_cancelled` and redirects with `on_close`. */
export async function closePage(context: PageContext, request: PageRequest): Promise<PageResponse> {
  const token = request.token ?? '';
  const page = await describeLinkPage(context.links, token);
  if (page.kind !== 'open') return endResponse(context, page, 'form');
  const location = safeLocation(await closeLinkPage(context.links, token));
  return location === null ? showPage(closedView(context.places, token)) : redirectAfterForm(location);
}
