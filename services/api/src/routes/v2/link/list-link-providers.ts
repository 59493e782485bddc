import { LinkProvidersBody, LinkTokenHeader } from '@pulsewire/contract';
import { listLinkableProviders } from '@pulsewire/connections';
import { providerRef } from '@pulsewire/providers';
import { defineRoute, ok } from '../../../route/route.ts';
import { logoBaseUrl } from '../../../render/provider.ts';
import { tokenReference } from './token-reference.ts';

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
