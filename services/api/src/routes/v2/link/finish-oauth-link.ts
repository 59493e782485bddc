import { Type } from 'typebox';
import { OAuthCallbackQuery } from '@pulsewire/contract';
import { completeOAuthLink, type CallbackOutcome } from '@pulsewire/connections';
import { defineRoute, type RouteResponse } from '../../../route/route.ts';
import { renderPage } from '../../../docs/page.ts';

function page(outcome: Exclude<CallbackOutcome, { state: 'pending_confirmation' }>): RouteResponse {
  const isDone = outcome.state === 'success';
  const heading = isDone ? 'Connected' : 'Not connected';
  const text = isDone ? 'The connection is made. You may close this window.' : `${outcome.error}. Please go back and try again.`;
  return renderPage({ status: isDone ? 200 : 400, title: heading, heading, paragraphs: [text] });
}

function redirect(location: string): RouteResponse {
  return { status: 307, headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } };
}

export const finishOAuthLinkRoute = defineRoute({
  method: 'GET',
  path: '/v2/link/connect/{provider}',
  operationId: 'finishOAuthLink',
  area: 'linking',
  auth: 'none',
  waitsForOthers: true,
  summary: 'Callback of the provider',
  description:
    'Called by the browser. Redirects with `state` and, on failure, `error_type` and `error`; without a redirect URL it shows a plain page. A flow that was not started with an API key continues on the hosted link page, where the person confirms it; so does every flow of a team with the operator setting `confirm_links`. Links that are not confirmed within ten minutes are revoked at the provider.',
  params: Type.Object({ provider: Type.String({ maxLength: 64 }) }, { title: 'CallbackParams' }),
  query: OAuthCallbackQuery,
  responses: {
    200: { description: 'Connected; the session has no redirect URL.', schema: Type.String(), contentType: 'text/html' },
    307: { description: 'To the redirect URL, or to the hosted link page.' },
    400: { description: 'Not connected; the session has no redirect URL.', schema: Type.String(), contentType: 'text/html' },
  },
  async handler(context, { params, query }) {
    const outcome = await completeOAuthLink(context.links, {
      provider: params.provider,
      state: query.state,
      code: query.code,
      error: query.error,
      scope: query.scope,
      traceId: context.traceId,
    });
    if (outcome.state === 'pending_confirmation') return redirect(outcome.location);
    return outcome.location === null ? page(outcome) : redirect(outcome.location);
  },
});
