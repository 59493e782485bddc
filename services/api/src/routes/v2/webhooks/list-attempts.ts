import { AttemptListBody, AttemptListQuery } from '@pulsewire/contract';
import { listAttempts } from '@pulsewire/webhooks';
import { defineRoute, ok } from '../../../http/route.ts';
import { EndpointParams } from '../../../schemas/webhooks.ts';
import { withFieldRefusals } from './field-refusals.ts';

export const listAttemptsRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/webhook/{webhook_id}/attempt',
  operationId: 'listWebhookAttempts',
  area: 'webhooks',
  auth: 'key',
  summary: 'Read the delivery log of an endpoint, newest attempt first',
  params: EndpointParams,
  query: AttemptListQuery,
  answers: { 200: { description: 'One page.', schema: AttemptListBody } },
  failures: [404],
  handler: async (context, { params, query }) =>
    ok(await withFieldRefusals({ query }, () => listAttempts(context.endpoints, context.team.teamId, params.webhook_id, query))),
});
