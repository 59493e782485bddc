import { WebhookBody } from '@pulsewire/contract';
import { getEndpoint } from '@pulsewire/webhooks';
import { defineRoute, ok } from '../../../../route/route.ts';
import { EndpointParams } from '../../../../schemas/webhooks.ts';

export const getEndpointRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/webhook/{webhook_id}',
  operationId: 'getWebhook',
  area: 'webhooks',
  auth: 'key',
  summary: 'Read a webhook endpoint',
  params: EndpointParams,
  responses: { 200: { description: 'The endpoint.', schema: WebhookBody } },
  failures: [404],
  handler: async (context, { params }) => ok(await getEndpoint(context.endpoints, context.team.teamId, params.webhook_id)),
});
