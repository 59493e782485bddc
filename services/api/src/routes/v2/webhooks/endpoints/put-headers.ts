import { UpdateWebhookHeadersBody } from '@pulsewire/contract';
import { putHeaders } from '@pulsewire/webhooks';
import { defineRoute, noContent } from '../../../../route/route.ts';
import { EndpointParams } from '../../../../schemas/webhooks.ts';
import { withFieldRefusals } from '../../../../validate/webhook-refusals.ts';

export const putHeadersRoute = defineRoute({
  method: 'PUT',
  path: '/v2/team/webhook/{webhook_id}/headers',
  operationId: 'putWebhookHeaders',
  area: 'webhooks',
  auth: 'key',
  scope: 'secrets',
  summary: 'Replace the custom headers of an endpoint',
  description: 'A sensitive header without a value keeps its current value.',
  params: EndpointParams,
  body: UpdateWebhookHeadersBody,
  responses: { 204: { description: 'Replaced.' } },
  failures: [404],
  async handler(context, { params, body }) {
    await withFieldRefusals({ body }, () => putHeaders(context.endpoints, context.team.teamId, params.webhook_id, body));
    return noContent;
  },
});
