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
  summary: 'Read how an endpoint does',
  params: EndpointParams,
  query: StatisticsQuery,
  answers: { 200: { description: 'Of the last hours, and of this moment.', schema: StatisticsBody } },
  failures: [404],
  handler: async (context, { params, query }) =>
    ok(await readStatistics(context.endpoints, context.team.teamId, params.webhook_id, query.hours)),
});
