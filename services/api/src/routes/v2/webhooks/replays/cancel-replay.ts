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
  summary: 'End a replay',
  description: 'What it has put on its way and is not being sent this moment is taken back. One that has ended stays as it is.',
  params: ReplayParams,
  answers: { 200: { description: 'The replay.', schema: ReplayBody } },
  failures: [404],
  handler: async (context, { params }) =>
    ok(await cancelReplay(context.endpoints, context.team.teamId, params.webhook_id, params.replay_id)),
});
