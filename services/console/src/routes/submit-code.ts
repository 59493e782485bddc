import { completeMfa, describeLinkPage } from '@pulsewire/connections';
import { showPage, type PageResponse } from '../http/page-response.ts';
import { codeLengthMax } from '../pages/code-step.ts';
import { codeExpired, errorMessage, tooManyCodes } from '../messages/link-errors.ts';
import type { PageContext, PageRequest } from './context.ts';
import { endResponse } from './end-response.ts';
import { openView } from './open-page.ts';
import { submitAttempt } from './submit-attempt.ts';

/** POST of the code sent by a provider. */
export async function submitCode(context: PageContext, request: PageRequest): Promise<PageResponse> {
  const token = request.token ?? '';
  const page = await describeLinkPage(context.links, token);
  if (page.kind !== 'open') return endResponse(context, page, 'form');
  const slug = request.value('provider');
  const code = (request.value('code') ?? '').trim();
  const { mfa } = page;
  // The code has expired, or another tab has continued.
  if (mfa === null) return showPage(openView(context, page, { token, slug, alert: codeExpired }));
  if (code === '' || code.length > codeLengthMax) {
    const alert = {
      title: 'Something is missing',
      text: mfa.choices ? 'Please choose a person.' : 'Please enter the code that you have received.',
    };
    return showPage(openView(context, page, { token, slug, alert }));
  }
  const name = context.links.connectorFor(mfa.provider)?.name;
  return submitAttempt(context, page, {
    choice: { token, slug: mfa.provider },
    work: () => completeMfa(context.links, { token, teamId: null, provider: mfa.provider, code, traceId: request.traceId }),
    message({ errorType }, now) {
      if (errorType === 'token_expired') return codeExpired;
      return errorType === 'incorrect_mfa_code' && now.mfa === null ? tooManyCodes : errorMessage(errorType, name);
    },
  });
}
