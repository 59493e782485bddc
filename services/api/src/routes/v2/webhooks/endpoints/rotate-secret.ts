import { RotateWebhookSecretBody } from '@pulsewire/contract';
import { rotateSecret } from '@pulsewire/webhooks';
import { defineRoute, noContent } from '../../../../route/route.ts';
import { EndpointParams } from '../../../../schemas/webhooks.ts';
import { withFieldRefusals } from '../../../../validate/webhook-refusals.ts';

export const rotateSecretRoute = defineRoute({
  method: 'POST',
  path: '/v2/team/webhook/{webhook_id}/secret/rotate',
  operationId: 'rotateWebhookSecret',
  area: 'webhooks',
  auth: 'key',
  scope: 'secrets',
  summary: 'Rotate the signing secret',
  description:
    'Uses the given key or generates new ones. The replaced key also signs for another 24 hours, or for `overlap` seconds; keys that were replaced earlier are not extended.',
  params: EndpointParams,
  body: RotateWebhookSecretBody,
  responses: { 204: { description: 'Replaced.' } },
  failures: [404],
  async handler(context, { params, body }) {
    const rotate = () => rotateSecret(context.endpoints, context.team.teamId, params.webhook_id, body);
    await withFieldRefusals({ body }, rotate, 'key');
    return noContent;
  },
});
