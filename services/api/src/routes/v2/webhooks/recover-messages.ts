import { RecoverBody } from '@pulsewire/contract';
import { recoverSince } from '@pulsewire/webhooks';
import { accepted, defineRoute } from '../../../http/route.ts';
import { dateTimeMs } from '../../../http/validate/formats.ts';
import { EndpointParams, RecoveredBody } from '../../../schemas/webhooks.ts';

export const recoverMessagesRoute = defineRoute({
  method: 'POST',
  path: '/v2/team/webhook/{webhook_id}/recover',
  operationId: 'recoverWebhookMessages',
  area: 'webhooks',
  auth: 'key',
  summary: 'Send again what failed since a time',
  params: EndpointParams,
  body: RecoverBody,
  answers: { 202: { description: 'On their way again.', schema: RecoveredBody } },
  failures: [404],
  async handler(context, { params, body }) {
    const messages = await recoverSince(context.endpoints, context.team.teamId, params.webhook_id, new Date(dateTimeMs(body.since)));
    return accepted({ messages });
  },
});
