import { AttemptListBody, AttemptListQuery } from '@pulsewire/contract';
import { listAttempts } from '@pulsewire/webhooks';
import { defineRoute, ok } from '../../../../route/route.ts';
import { EndpointParams } from '../../../../schemas/webhooks.ts';
import { withFieldRefusals } from '../../../../validate/webhook-refusals.ts';
import { optionalInstant, orderedRange } from '../../../../validate/optional-instant.ts';

export const listAttemptsRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/webhook/{webhook_id}/attempt',
  operationId: 'listWebhookAttempts',
  area: 'webhooks',
  auth: 'key',
  summary: 'Read the delivery log of an endpoint, newest attempt first',
  params: EndpointParams,
  query: AttemptListQuery,
  responses: { 200: { description: 'One page.', schema: AttemptListBody } },
  failures: [404],
  refine: ({ query }) => orderedRange(query),
  async handler(context, { params, query }) {
    const { since, until, ...rest } = query;
    const page = { ...rest, since: optionalInstant(since), until: optionalInstant(until) };
    return ok(await withFieldRefusals({ query }, () => listAttempts(context.endpoints, context.team.teamId, params.webhook_id, page)));
  },
});
