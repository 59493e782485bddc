import { StatisticsBody, StatisticsQuery } from '@pulsewire/contract';
import { readStatistics } from '@pulsewire/webhooks';
import { defineRoute, ok } from '../../../../route/route.ts';
import { EndpointParams } from '../../../../schemas/webhooks.ts';

export const getStatisticsRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/webhook/{webhook_id}/statistics',
  operationId: 'getWebhookStatistics',
  area: 'webhooks',
  auth: 'key',
  summary: 'Read delivery statistics of an endpoint',
  params: EndpointParams,
  query: StatisticsQuery,
  responses: { 200: { description: 'Figures of the last hours and the current state.', schema: StatisticsBody } },
  failures: [404],
  handler: async (context, { params, query }) =>
    ok(await readStatistics(context.endpoints, context.team.teamId, params.webhook_id, query.hours)),
});
