import { createLinkSession, isRedirectAllowed, manualProviders, listLinkableProviders, readLinkState } from '@pulsewire/connections';
import { linkTokenBodyFor, LinkTokenCreatedBody, LinkProvidersBody, LinkTokenHeader, LinkStateBody } from '@pulsewire/contract';
import { type Connector, providerRef } from '@pulsewire/providers';
import type { LinkRequestContext } from '../../../context/context.ts';
import { logoBaseUrl } from '../../../render/provider.ts';
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

/** Bytes of the body of a login, which is read before the link token is looked up. */
export const loginBytesMax = 16 * 1024;

/** The link token of a request, and the team of its key. */
export function tokenReference(context: LinkRequestContext, headers: LinkTokenHeader) {
  return { token: headers['x-service-link-token'], teamId: context.team?.teamId ?? null };
}

export const listLinkProvidersRoute = defineRoute({
  method: 'GET',
  path: '/v2/link/providers',
  operationId: 'listLinkProviders',
  area: 'linking',
  auth: 'link',
  summary: 'List the providers that a link token can link',
  description: 'Applies the provider and filter of the token; omits providers that are disabled or have no OAuth application.',
  headers: LinkTokenHeader,
  responses: { 200: { description: 'By name.', schema: LinkProvidersBody } },
  async handler(context, { headers }) {
    const providers = await listLinkableProviders(context.links, tokenReference(context, headers));
    return ok(
      providers.map(({ connector, form }) => ({
        id: connector.sourceId,
        ...providerRef(connector, logoBaseUrl(context)),
        description: connector.description,
        oauth_url: null,
        auth_type: connector.authType,
        form_components: form && { fields: form },
      })),
    );
  },
});

export const getLinkStateRoute = defineRoute({
  method: 'GET',
  path: '/v2/link/state',
  operationId: 'getLinkState',
  area: 'linking',
  auth: 'link',
  summary: 'Read the state of a link token',
  headers: LinkTokenHeader,
  responses: { 200: { description: 'Also works for expired and consumed tokens.', schema: LinkStateBody } },
  async handler(context, { headers }) {
    const { state, provider, errorType } = await readLinkState(context.links, tokenReference(context, headers));
    return ok({ state, provider, error_type: errorType });
  },
});
