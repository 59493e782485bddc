import { CatalogueBody, CatalogueQuery } from '@pulsewire/contract';
import { providerRef } from '@pulsewire/providers';
import { defineRoute, ok } from '../../../http/route.ts';
import { logoBaseUrl } from '../../../render/provider.ts';

export const listProvidersRoute = defineRoute({
  method: 'GET',
  path: '/v2/providers',
  operationId: 'listProviders',
  area: 'providers',
  auth: 'key',
  summary: 'List the providers that can be linked',
  query: CatalogueQuery,
  answers: { 200: { description: 'The catalogue, by slug.', schema: CatalogueBody } },
  async handler(context, { query }) {
    const wanted = context.connectors.filter(({ sourceKind }) => !query.source_type || sourceKind === query.source_type);
    return ok(
      wanted.map((connector) => ({
        ...providerRef(connector, logoBaseUrl(context)),
        description: connector.description,
        auth_type: connector.authType,
        supported_resources: Object.keys(connector.resources),
      })),
    );
  },
});
