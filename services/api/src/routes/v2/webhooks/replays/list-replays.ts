import { ReplayListBody, ReplayListQuery } from '@pulsewire/contract';
import { listReplays } from '@pulsewire/webhooks';
import { defineRoute, ok } from '../../../../route/route.ts';
import { EndpointParams } from '../../../../schemas/webhooks.ts';
import { withFieldRefusals } from '../../../../validate/webhook-refusals.ts';

export const listReplaysRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/webhook/{webhook_id}/replay',
  operationId: 'listWebhookReplays',
  area: 'webhooks',
  auth: 'key',
  summary: 'List replays of an endpoint, newest first',
  params: EndpointParams,
  query: ReplayListQuery,
  responses: { 200: { description: 'One page.', schema: ReplayListBody } },
  failures: [404],
  handler: async (context, { params, query }) =>
    ok(await withFieldRefusals({ query }, () => listReplays(context.endpoints, context.team.teamId, params.webhook_id, query))),
});
