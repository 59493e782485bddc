import { startOAuthLink, completeOAuthLink, type CallbackOutcome } from '@pulsewire/connections';
import { CodedErrorBody, DetailBody, LinkTokenHeader, oauthProviderParams, OAuthLinkBody, OAuthCallbackQuery } from '@pulsewire/contract';
import { providerRef, type Connector } from '@pulsewire/providers';
import { Type } from 'typebox';
import { renderPage } from '../../../docs/page.ts';
import { logoBaseUrl } from '../../../render/provider.ts';
import { defineRoute, ok, type RouteResponse } from '../../../route/route.ts';
import { tokenReference } from './link-tokens.ts';

export const startOAuthLinkRoute = (connectors: readonly Connector[]) =>
  defineRoute({
    method: 'GET',
    path: '/v2/link/provider/oauth/{oauth_provider}',
    operationId: 'startOAuthLink',
    area: 'linking',
    auth: 'link',
    summary: 'Start an OAuth link',
    description:
      'Send the browser to `oauth_url`. Send only the person for whom the link token was created: whoever signs in is linked to that user. With an API key there is no further confirmation, unless the operator set `confirm_links` for the team.',
    params: oauthProviderParams(
      connectors.filter(({ authType }) => authType === 'oauth' || authType === 'team_oauth').map(({ slug }) => slug),
    ),
    headers: LinkTokenHeader,
    responses: {
      200: { description: 'The provider, with the address for the browser.', schema: OAuthLinkBody },
      400: {
        description: 'The link token is invalid, or no OAuth application is configured for this provider.',
        schema: Type.Union([CodedErrorBody, DetailBody]),
      },
    },
    async handler(context, { params, headers }) {
      const { connector, oauthUrl, backfillDays } = await startOAuthLink(context.links, {
        ...tokenReference(context, headers),
        provider: params.oauth_provider,
      });
      return ok({
        id: connector.sourceId,
        ...providerRef(connector, logoBaseUrl(context)),
        description: connector.description,
        group: null,
        oauth_url: oauthUrl,
        auth_type: connector.authType,
        source_type: connector.sourceKind,
        is_active: true,
        backfill_num_days: backfillDays,
      });
    },
  });

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
