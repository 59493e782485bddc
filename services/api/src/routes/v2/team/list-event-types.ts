import { eventCatalogue, EventTypeListBody } from '@pulsewire/contract';
import { defineRoute, ok } from '../../../route/route.ts';
import { EventTypesQuery } from '../../../schemas/webhooks.ts';

export const listEventTypesRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/event_types',
  operationId: 'listEventTypes',
  area: 'webhooks',
  auth: 'key',
  summary: 'List event types with the JSON Schema of their bodies and an example of each',
  query: EventTypesQuery,
  responses: { 200: { description: 'All event types, or the requested ones.', schema: EventTypeListBody } },
  async handler(_context, { query }) {
    const wanted = query.event_types && new Set<string>(query.event_types);
    return ok({ data: eventCatalogue().filter((row) => wanted?.has(row.event_type) ?? true) });
  },
});
