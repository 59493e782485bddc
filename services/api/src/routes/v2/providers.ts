import { CatalogueBody, CatalogueQuery } from '@pulsewire/contract';
import { catalogue } from '@pulsewire/providers';
import { logoBaseUrl } from '../../render/provider.ts';
import { defineRoute, ok } from '../../route/route.ts';

export const listProvidersRoute = defineRoute({
  method: 'GET',
  path: '/v2/providers',
  operationId: 'listProviders',
  area: 'providers',
  auth: 'key',
  summary: 'List the sources of data',
  description: 'Providers that a user links, and sources whose data comes from a phone, over Bluetooth or from your own app.',
  query: CatalogueQuery,
  responses: { 200: { description: 'The catalogue, by slug.', schema: CatalogueBody } },
  async handler(context, { query }) {
    // An empty parameter is the same as none.
    return ok(catalogue(context.connectors, { logoBaseUrl: logoBaseUrl(context), sourceKind: query.source_type || null }));
  },
});
