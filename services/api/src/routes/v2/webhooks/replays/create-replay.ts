import { ReplayBody, ReplayCountBody } from '@pulsewire/contract';
import { countReplay, createReplay, type ReplayRequest } from '@pulsewire/webhooks';
import { accepted, defineRoute, ok } from '../../../../route/route.ts';
import { dateTimeMs } from '../../../../validate/formats.ts';
import { CreateReplayBody, EndpointParams } from '../../../../schemas/webhooks.ts';
import { withFieldRefusals } from '../../../../validate/webhook-refusals.ts';

function requestOf(body: CreateReplayBody): ReplayRequest {
  return {
    since: new Date(dateTimeMs(body.since)),
    until: body.until ? new Date(dateTimeMs(body.until)) : null,
    userId: body.user_id ?? null,
    eventTypes: body.event_types ?? null,
    selection: body.selection,
  };
}

export const createReplayRoute = defineRoute({
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
