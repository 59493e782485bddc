import { WebhookBody } from '@pulsewire/contract';
import { createEndpoint } from '@pulsewire/webhooks';
import { defineRoute, ok } from '../../../../route/route.ts';
import { CreateWebhookBody } from '../../../../schemas/webhooks.ts';
import { endpointContext } from './endpoint-context.ts';
import { withFieldRefusals } from '../../../../validate/webhook-refusals.ts';

export const createEndpointRoute = defineRoute({
  method: 'POST',
  path: '/v2/team/webhook',
  operationId: 'createWebhook',
  area: 'webhooks',
  auth: 'key',
  summary: 'Create a webhook endpoint',
  description: 'Every future event that passes the filter is signed and sent to the URL.',
  body: CreateWebhookBody,
  responses: { 200: { description: 'The endpoint.', schema: WebhookBody } },
  failures: [409],
  handler: async (context, { body }) =>
    ok(await withFieldRefusals({ body }, () => createEndpoint(endpointContext(context), context.team.teamId, body))),
});
