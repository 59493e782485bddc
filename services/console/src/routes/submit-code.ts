import { completeMfa, describeLinkPage } from '@pulsewire/connections';
import { showPage, type PageAnswer } from '../http/answer.ts';
import { codeLengthMax } from '../pages/code-step.ts';
import { codeTooLate, errorWords, tooManyCodes } from '../words/link-errors.ts';
import type { PageContext, PageRequest } from './context.ts';
import { endingAnswer } from './ending.ts';
import { openView } from './open-page.ts';
import { tryOnce } from './try-once.ts';

/** POST of the code that a provider has sent. */
export async function submitCode(context: PageContext, request: PageRequest): Promise<PageAnswer> {
  const token = request.token ?? '';
  const page = await describeLinkPage(context.links, token);
  if (page.kind !== 'open') return endingAnswer(context, page, 'form');
  const slug = request.value('provider');
  const code = (request.value('code') ?? '').trim();
  const { mfa } = page;
  // The ten minutes are over, or another tab has gone on.
  if (mfa === null) return showPage(openView(context, page, { token, slug, alert: codeTooLate }));
  if (code === '' || code.length > codeLengthMax) {
    const alert = { title: 'Something is missing', text: 'Please enter the code that you have received.' };
    return showPage(openView(context, page, { token, slug, alert }));
  }
  const name = context.links.connectorFor(mfa.provider)?.name;
  return tryOnce(context, page, {
    choice: { token, slug: mfa.provider },
    work: () => completeMfa(context.links, { token, teamId: null, provider: mfa.provider, code, traceId: request.traceId }),
    words({ errorType }, now) {
      if (errorType === 'token_expired') return codeTooLate;
      return errorType === 'incorrect_mfa_code' && now.mfa === null ? tooManyCodes : errorWords(errorType, name);
    },
  });
}
