import { ReplayBody } from '@pulsewire/contract';
import { getReplay } from '@pulsewire/webhooks';
import { defineRoute, ok } from '../../../../route/route.ts';
import { ReplayParams } from '../../../../schemas/webhooks.ts';

export const getReplayRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/webhook/{webhook_id}/replay/{replay_id}',
  operationId: 'getWebhookReplay',
  area: 'webhooks',
  auth: 'key',
  summary: 'Read a replay and its progress',
  params: ReplayParams,
  responses: { 200: { description: 'The replay.', schema: ReplayBody } },
  failures: [404],
  handler: async (context, { params }) => ok(await getReplay(context.endpoints, context.team.teamId, params.webhook_id, params.replay_id)),
});
