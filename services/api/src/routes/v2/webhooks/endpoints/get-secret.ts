import { WebhookSecretBody } from '@pulsewire/contract';
import { getSecret } from '@pulsewire/webhooks';
import { defineRoute, ok } from '../../../../route/route.ts';
import { EndpointParams } from '../../../../schemas/webhooks.ts';

export const getSecretRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/webhook/{webhook_id}/secret',
  operationId: 'getWebhookSecret',
  area: 'webhooks',
  auth: 'key',
  scope: 'secrets',
  summary: 'Read the signing secret',
  params: EndpointParams,
  responses: { 200: { description: 'The secret.', schema: WebhookSecretBody } },
  failures: [404],
  async handler(context, { params }) {
    const secret = await getSecret(context.endpoints, context.team.teamId, params.webhook_id);
    return { ...ok(secret), headers: { 'cache-control': 'no-store' } };
  },
});
