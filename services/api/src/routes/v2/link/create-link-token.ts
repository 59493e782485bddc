import { linkTokenBodyFor, LinkTokenCreatedBody } from '@pulsewire/contract';
import { createLinkSession, isRedirectAllowed, manualProviders } from '@pulsewire/connections';
import type { Connector } from '@pulsewire/providers';
import { defineRoute, ok } from '../../../route/route.ts';

export const createLinkTokenRoute = (connectors: readonly Connector[]) =>
  defineRoute({
    method: 'POST',
    path: '/v2/link/token',
    operationId: 'createLinkToken',
    area: 'linking',
    auth: 'key',
    summary: 'Create a link token for a user',
    description:
      'Valid for 60 minutes and for one connection; a failed attempt does not consume it. `provider` and `filter_on_providers` take providers of this installation.',
    body: linkTokenBodyFor([...new Set([...connectors, ...manualProviders].map(({ slug }) => slug))].toSorted()),
    responses: { 200: { description: 'The token, and the address of the hosted link page.', schema: LinkTokenCreatedBody } },
    failures: [400, 404],
    refine({ body: { redirect_url: redirectUrl } }, { team }) {
      if (!redirectUrl || isRedirectAllowed(redirectUrl, team.redirectSchemes)) return [];
      const msg = 'Must be an https URL, http to localhost, or use a scheme that is registered for the team';
      return [{ loc: ['body', 'redirect_url'], msg, type: 'value_error' }];
    },
    async handler(context, { body }) {
      const { linkToken, linkWebUrl } = await createLinkSession(context.links, context.team.teamId, {
        userId: body.user_id,
        provider: body.provider ?? null,
        redirectUrl: body.redirect_url ?? null,
        filterOnProviders: body.filter_on_providers ?? null,
        onError: body.on_error ?? null,
        onClose: body.on_close ?? null,
      });
      return ok({ link_token: linkToken, link_web_url: linkWebUrl });
    },
  });
