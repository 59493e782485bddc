import { MessageSentBody } from '@pulsewire/contract';
import { sendTest } from '@pulsewire/webhooks';
import { accepted, defineRoute } from '../../../../route/route.ts';
import { EndpointParams, SendTestBody } from '../../../../schemas/webhooks.ts';
import { withFieldRefusals } from '../../../../validate/webhook-refusals.ts';

export const sendTestRoute = defineRoute({
  method: 'POST',
  path: '/v2/team/webhook/{webhook_id}/test',
  operationId: 'sendWebhookTest',
  area: 'webhooks',
  auth: 'key',
  summary: 'Send an example to an endpoint',
  description: 'By the road of every message: signed, tried again, and in the delivery log. The header `webhook-test: true` marks it.',
  params: EndpointParams,
  body: SendTestBody,
  answers: { 202: { description: 'On its way.', schema: MessageSentBody } },
  failures: [400, 404],
  handler: async (context, { params, body }) =>
    accepted(await withFieldRefusals({ body }, () => sendTest(context.endpoints, context.team.teamId, params.webhook_id, body.event_type))),
});
