import { WebhookListBody, WebhookListQuery } from '@pulsewire/contract';
import { listEndpoints } from '@pulsewire/webhooks';
import { defineRoute, ok } from '../../../../route/route.ts';
import { withFieldRefusals } from '../../../../validate/webhook-refusals.ts';

export const listEndpointsRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/webhook',
  operationId: 'listWebhooks',
  area: 'webhooks',
  auth: 'key',
  summary: 'List webhook endpoints, oldest first',
  query: WebhookListQuery,
  responses: { 200: { description: 'One page.', schema: WebhookListBody } },
  handler: async (context, { query }) =>
    ok(await withFieldRefusals({ query }, () => listEndpoints(context.endpoints, context.team.teamId, query))),
});
