import { MessageSentBody } from '@pulsewire/contract';
import { resendMessage } from '@pulsewire/webhooks';
import { accepted, defineRoute } from '../../../../route/route.ts';
import { ResendParams } from '../../../../schemas/webhooks.ts';

export const resendMessageRoute = defineRoute({
  method: 'POST',
  path: '/v2/team/webhook/{webhook_id}/message/{message_id}/resend',
  operationId: 'resendWebhookMessage',
  area: 'webhooks',
  auth: 'key',
  summary: 'Send one message to an endpoint again, or for the first time',
  description:
    "Uses the same id and body and ignores the endpoint's filter. A message that waits for its next attempt is sent now. One that is being sent, or is held behind earlier messages of its user at an ordered endpoint, is left unchanged, as `status` says.",
  params: ResendParams,
  responses: { 202: { description: 'Accepted; see `status`.', schema: MessageSentBody } },
  failures: [400, 404],
  async handler(context, { params }) {
    const { userId, ...sent } = await resendMessage(context.endpoints, context.team.teamId, params.webhook_id, params.message_id);
    return accepted(sent, { userId });
  },
});
