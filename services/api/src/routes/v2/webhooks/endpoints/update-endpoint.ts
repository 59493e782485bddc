import { UpdatedWebhookBody } from '@pulsewire/contract';
import { updateEndpoint } from '@pulsewire/webhooks';
import { defineRoute, ok } from '../../../../route/route.ts';
import { EndpointParams, UpdateWebhookBody } from '../../../../schemas/webhooks.ts';
import { endpointContext } from './endpoint-context.ts';
import { withFieldRefusals } from '../../../../validate/webhook-refusals.ts';

export const updateEndpointRoute = defineRoute({
  method: 'PATCH',
  path: '/v2/team/webhook/{webhook_id}',
  operationId: 'updateWebhook',
  area: 'webhooks',
  auth: 'key',
  summary: 'Update a webhook endpoint',
  description:
    'Omitted fields are unchanged. Null clears description, rate limit, filter and schedule. Enabling a disabled endpoint returns what it missed in the meantime.',
  params: EndpointParams,
  body: UpdateWebhookBody,
  responses: { 200: { description: 'The endpoint.', schema: UpdatedWebhookBody } },
  failures: [404],
  handler: async (context, { params, body }) =>
    ok(await withFieldRefusals({ body }, () => updateEndpoint(endpointContext(context), context.team.teamId, params.webhook_id, body))),
});
