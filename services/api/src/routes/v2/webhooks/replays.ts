import { ReplayBody, ReplayCountBody, ReplayListBody, ReplayListQuery } from '@pulsewire/contract';
import { countReplay, createReplay, type ReplayRequest, listReplays, getReplay, cancelReplay } from '@pulsewire/webhooks';
import { accepted, defineRoute, ok, type Route } from '../../../route/route.ts';
import { CreateReplayBody, EndpointParams, ReplayParams } from '../../../schemas/webhooks.ts';
import { dateTimeMs } from '../../../validate/formats.ts';
import { withFieldRefusals } from '../../../validate/webhook-refusals.ts';

function requestOf(body: CreateReplayBody): ReplayRequest {
  return {
    since: new Date(dateTimeMs(body.since)),
    until: body.until ? new Date(dateTimeMs(body.until)) : null,
    userId: body.user_id ?? null,
    eventTypes: body.event_types ?? null,
    selection: body.selection,
  };
}

const createReplayRoute = defineRoute({
  method: 'POST',
  path: '/v2/team/webhook/{webhook_id}/replay',
  operationId: 'createWebhookReplay',
  area: 'webhooks',
  auth: 'key',
  summary: 'Send a range of events again, or for the first time',
  description:
    'Uses the same ids and bodies; live deliveries go first. An endpoint has one running replay at a time. With `dry_run` nothing is sent.',
  params: EndpointParams,
  body: CreateReplayBody,
  responses: {
    200: { description: 'The count of a dry run.', schema: ReplayCountBody },
    202: { description: 'The started replay.', schema: ReplayBody },
  },
  failures: [400, 404, 409],
  async handler(context, { params, body }) {
    const ask = <T>(work: (...args: Parameters<typeof createReplay>) => Promise<T>): Promise<T> =>
      withFieldRefusals({ body }, () => work(context.endpoints, context.team.teamId, params.webhook_id, requestOf(body)));
    return body.dry_run ? ok(await ask(countReplay)) : accepted(await ask(createReplay));
  },
});

const listReplaysRoute = defineRoute({
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

const getReplayRoute = defineRoute({
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

const cancelReplayRoute = defineRoute({
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

/** Replays of stored events to an endpoint. */
export const replayRoutes: readonly Route[] = [createReplayRoute, listReplaysRoute, getReplayRoute, cancelReplayRoute];
