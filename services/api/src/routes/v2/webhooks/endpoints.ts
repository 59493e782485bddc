import {
  WebhookListBody,
  WebhookListQuery,
  WebhookBody,
  UpdatedWebhookBody,
  WebhookHeadersBody,
  UpdateWebhookHeadersBody,
  WebhookSecretBody,
  RotateWebhookSecretBody,
} from '@pulsewire/contract';
import {
  type MessageContext,
  listEndpoints,
  createEndpoint,
  getEndpoint,
  updateEndpoint,
  deleteEndpoint,
  getHeaders,
  putHeaders,
  getSecret,
  rotateSecret,
} from '@pulsewire/webhooks';
import type { KeyContext } from '../../../context/context.ts';
import { defineRoute, ok, noContent, type Route } from '../../../route/route.ts';
import { CreateWebhookBody, EndpointParams, UpdateWebhookBody } from '../../../schemas/webhooks.ts';
import { withFieldRefusals } from '../../../validate/webhook-refusals.ts';

/** Dependencies of endpoint changes: teams with real users may only use https receivers. */
function endpointContext({ endpoints, team }: KeyContext): MessageContext {
  return { ...endpoints, httpsOnly: !team.isSandbox };
}

const listEndpointsRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/webhook',
  operationId: 'listWebhooks',
  area: 'webhooks',
  auth: 'key',
  summary: 'List webhook endpoints, oldest first',
  query: WebhookListQuery,
  responses: { 200: { description: 'One page.', schema: WebhookListBody } },
  handler: async (context, { query }) =>
    ok(await withFieldRefusals({ query }, () => listEndpoints(context.endpoints, context.team.teamId, query))),
});

const createEndpointRoute = defineRoute({
  method: 'POST',
  path: '/v2/team/webhook',
  operationId: 'createWebhook',
  area: 'webhooks',
  auth: 'key',
  summary: 'Create a webhook endpoint',
  description: 'Every future event that passes the filter is signed and sent to the URL.',
  body: CreateWebhookBody,
  responses: { 200: { description: 'The endpoint.', schema: WebhookBody } },
  failures: [409],
  handler: async (context, { body }) =>
    ok(await withFieldRefusals({ body }, () => createEndpoint(endpointContext(context), context.team.teamId, body))),
});

const getEndpointRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/webhook/{webhook_id}',
  operationId: 'getWebhook',
  area: 'webhooks',
  auth: 'key',
  summary: 'Read a webhook endpoint',
  params: EndpointParams,
  responses: { 200: { description: 'The endpoint.', schema: WebhookBody } },
  failures: [404],
  handler: async (context, { params }) => ok(await getEndpoint(context.endpoints, context.team.teamId, params.webhook_id)),
});

const updateEndpointRoute = defineRoute({
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

const deleteEndpointRoute = defineRoute({
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

const getHeadersRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/webhook/{webhook_id}/headers',
  operationId: 'getWebhookHeaders',
  area: 'webhooks',
  auth: 'key',
  scope: 'secrets',
  summary: 'Read the custom headers of an endpoint',
  description: 'Sensitive values are hidden.',
  params: EndpointParams,
  responses: { 200: { description: 'The headers.', schema: WebhookHeadersBody } },
  failures: [404],
  handler: async (context, { params }) => ok(await getHeaders(context.endpoints, context.team.teamId, params.webhook_id)),
});

const putHeadersRoute = defineRoute({
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

const getSecretRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/webhook/{webhook_id}/secret',
  operationId: 'getWebhookSecret',
  area: 'webhooks',
  auth: 'key',
  scope: 'secrets',
  summary: 'Read the signing secret',
  params: EndpointParams,
  responses: { 200: { description: 'The secret.', schema: WebhookSecretBody } },
  failures: [404],
  async handler(context, { params }) {
    const secret = await getSecret(context.endpoints, context.team.teamId, params.webhook_id);
    return { ...ok(secret), headers: { 'cache-control': 'no-store' } };
  },
});

const rotateSecretRoute = defineRoute({
  method: 'POST',
  path: '/v2/team/webhook/{webhook_id}/secret/rotate',
  operationId: 'rotateWebhookSecret',
  area: 'webhooks',
  auth: 'key',
  scope: 'secrets',
  summary: 'Rotate the signing secret',
  description:
    'Uses the given key or generates new ones. The replaced key also signs for another 24 hours, or for `overlap` seconds; keys that were replaced earlier are not extended.',
  params: EndpointParams,
  body: RotateWebhookSecretBody,
  responses: { 204: { description: 'Replaced.' } },
  failures: [404],
  async handler(context, { params, body }) {
    const rotate = () => rotateSecret(context.endpoints, context.team.teamId, params.webhook_id, body);
    await withFieldRefusals({ body }, rotate, 'key');
    return noContent;
  },
});

/** A team's endpoints. */
export const endpointRoutes: readonly Route[] = [
  listEndpointsRoute,
  createEndpointRoute,
  getEndpointRoute,
  updateEndpointRoute,
  deleteEndpointRoute,
  getHeadersRoute,
  putHeadersRoute,
  getSecretRoute,
  rotateSecretRoute,
];
