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
  summary: 'Send a test event to an endpoint',
  description: 'Sent like every message: signed, retried and recorded in the delivery log. The header `webhook-test: true` marks it.',
  params: EndpointParams,
  body: SendTestBody,
  responses: { 202: { description: 'Accepted.', schema: MessageSentBody } },
  failures: [400, 404],
  handler: async (context, { params, body }) =>
    accepted(await withFieldRefusals({ body }, () => sendTest(context.endpoints, context.team.teamId, params.webhook_id, body.event_type))),
});
