import { WebhookHeadersBody } from '@pulsewire/contract';
import { getHeaders } from '@pulsewire/webhooks';
import { defineRoute, ok } from '../../../../route/route.ts';
import { EndpointParams } from '../../../../schemas/webhooks.ts';

export const getHeadersRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/webhook/{webhook_id}/headers',
  operationId: 'getWebhookHeaders',
  area: 'webhooks',
  auth: 'key',
  scope: 'secrets',
  summary: 'Read the custom headers of an endpoint',
  description: 'Sensitive values are hidden.',
  params: EndpointParams,
  responses: { 200: { description: 'The headers.', schema: WebhookHeadersBody } },
  failures: [404],
  handler: async (context, { params }) => ok(await getHeaders(context.endpoints, context.team.teamId, params.webhook_id)),
});
