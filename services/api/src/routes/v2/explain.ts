import { getUser } from '@pulsewire/connections';
import { ExplainBody, ExplainQuery } from '@pulsewire/contract';
import { readDay } from '@pulsewire/explain';
import { renderExplanation } from '../../render/explain.ts';
import { defineRoute, ok } from '../../route/route.ts';

/** Why a day of a user has data, or none. */
export const explainDayRoute = defineRoute({
  method: 'GET',
  path: '/v2/introspect/explain',
  operationId: 'explainDay',
  area: 'introspection',
  auth: 'key',
  summary: 'Explain why a day of a user has data of a resource, or none',
  description:
    'Follows the day from the requests to the provider through its responses and the stored versions to the deliveries at every endpoint, with a verdict and a remedy. Contains no health data.',
  query: ExplainQuery,
  responses: { 200: { description: 'The history of the day.', schema: ExplainBody } },
  failures: [404],
  async handler(context, { query }) {
    const { database, rawCipher: cipher, links, team } = context;
    const user = await getUser(database, team.teamId, query.user_id);
    const history = await readDay({ database, cipher, connectorFor: links.connectorFor }, user, query.resource, query.day);
    return ok(renderExplanation(history));
  },
});
