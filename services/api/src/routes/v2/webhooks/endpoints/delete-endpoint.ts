import { deleteEndpoint } from '@pulsewire/webhooks';
import { defineRoute, noContent } from '../../../../route/route.ts';
import { EndpointParams } from '../../../../schemas/webhooks.ts';

export const deleteEndpointRoute = defineRoute({
  method: 'DELETE',
  path: '/v2/team/webhook/{webhook_id}',
  operationId: 'deleteWebhook',
  area: 'webhooks',
  auth: 'key',
  summary: 'Delete a webhook endpoint',
  description: 'No further attempts are made.',
  params: EndpointParams,
  responses: { 204: { description: 'Deleted.' } },
  failures: [404],
  async handler(context, { params }) {
    await deleteEndpoint(context.endpoints, context.team.teamId, params.webhook_id);
    return noContent;
  },
});
