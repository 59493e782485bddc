import { ReplayBody } from '@pulsewire/contract';
import { cancelReplay } from '@pulsewire/webhooks';
import { defineRoute, ok } from '../../../../route/route.ts';
import { ReplayParams } from '../../../../schemas/webhooks.ts';

export const cancelReplayRoute = defineRoute({
  method: 'POST',
  path: '/v2/team/webhook/{webhook_id}/replay/{replay_id}/cancel',
  operationId: 'cancelWebhookReplay',
  area: 'webhooks',
  auth: 'key',
  summary: 'Cancel a replay',
  description: 'Withdraws queued messages that are not being sent at this moment. A finished replay is unchanged.',
  params: ReplayParams,
  responses: { 200: { description: 'The replay.', schema: ReplayBody } },
  failures: [404],
  handler: async (context, { params }) =>
    ok(await cancelReplay(context.endpoints, context.team.teamId, params.webhook_id, params.replay_id)),
});
