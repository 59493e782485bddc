import { closeLinkPage, describeLinkPage } from '@pulsewire/connections';
import { showPage, type PageAnswer } from '../http/answer.ts';
import { goodbyeView } from '../pages/ending.ts';
import type { PageContext, PageRequest } from './context.ts';
import { endingAnswer, leaveAfterForm, safeLocation } from './ending.ts';

/** POST of the close button: noted as `user_cancelled`, and away with `on_close`. */
export async function closePage(context: PageContext, request: PageRequest): Promise<PageAnswer> {
  const token = request.token ?? '';
  const page = await describeLinkPage(context.links, token);
  if (page.kind !== 'open') return endingAnswer(context, page, 'form');
  const location = safeLocation(await closeLinkPage(context.links, token));
  return location === null ? showPage(goodbyeView(context.places, token)) : leaveAfterForm(location);
}
