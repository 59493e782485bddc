import {
  AttemptListBody,
  AttemptListQuery,
  RecoverBody,
  RecoveredBody,
  StatisticsBody,
  StatisticsQuery,
  MessageSentBody,
} from '@pulsewire/contract';
import { listAttempts, recoverSince, readStatistics, sendTest, resendMessage } from '@pulsewire/webhooks';
import { defineRoute, ok, accepted, type Route } from '../../../route/route.ts';
import { EndpointParams, SendTestBody, ResendParams } from '../../../schemas/webhooks.ts';
import { dateTimeMs } from '../../../validate/formats.ts';
import { optionalInstant, orderedRange } from '../../../validate/optional-instant.ts';
import { fieldError } from '../../../validate/validate-request.ts';
import { withFieldRefusals } from '../../../validate/webhook-refusals.ts';

const listAttemptsRoute = defineRoute({
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

const recoverMessagesRoute = defineRoute({
  method: 'POST',
  path: '/v2/team/webhook/{webhook_id}/recover',
  operationId: 'recoverWebhookMessages',
  area: 'webhooks',
  auth: 'key',
  summary: 'Resend messages that failed since a given time',
  description: 'Starts a replay of messages whose last attempt failed. Repeating the request while it runs returns the same replay.',
  params: EndpointParams,
  body: RecoverBody,
  responses: { 202: { description: 'The replay has started.', schema: RecoveredBody } },
  failures: [400, 404, 409],
  refine: ({ body }, { clock }) =>
    dateTimeMs(body.since) > clock.now().getTime() ? [fieldError(['body', 'since'], 'Must not be in the future', body.since)] : [],
  handler: async (context, { params, body }) =>
    withFieldRefusals({ body }, async () =>
      accepted(await recoverSince(context.endpoints, context.team.teamId, params.webhook_id, new Date(dateTimeMs(body.since)))),
    ),
});

const getStatisticsRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/webhook/{webhook_id}/statistics',
  operationId: 'getWebhookStatistics',
  area: 'webhooks',
  auth: 'key',
  summary: 'Read delivery statistics of an endpoint',
  params: EndpointParams,
  query: StatisticsQuery,
  responses: { 200: { description: 'Figures of the last hours and the current state.', schema: StatisticsBody } },
  failures: [404],
  handler: async (context, { params, query }) =>
    ok(await readStatistics(context.endpoints, context.team.teamId, params.webhook_id, query.hours)),
});

const sendTestRoute = defineRoute({
  method: 'POST',
  path: '/v2/team/webhook/{webhook_id}/test',
  operationId: 'sendWebhookTest',
  area: 'webhooks',
  auth: 'key',
  summary: 'Send a test event to an endpoint',
  description: 'Sent like every message: signed, retried and recorded in the delivery log. The header `webhook-test: true` marks it.',
  params: EndpointParams,
  body: SendTestBody,
  responses: { 202: { description: 'Accepted.', schema: MessageSentBody } },
  failures: [400, 404],
  handler: async (context, { params, body }) =>
    accepted(await withFieldRefusals({ body }, () => sendTest(context.endpoints, context.team.teamId, params.webhook_id, body.event_type))),
});

const resendMessageRoute = defineRoute({
  method: 'POST',
  path: '/v2/team/webhook/{webhook_id}/message/{message_id}/resend',
  operationId: 'resendWebhookMessage',
  area: 'webhooks',
  auth: 'key',
  summary: 'Send one message to an endpoint again, or for the first time',
  description:
    "Uses the same id and body and ignores the endpoint's filter. A message that waits for its next attempt is sent now. One that is being sent, or is held behind earlier messages of its user at an ordered endpoint, is left unchanged, as `status` says.",
  params: ResendParams,
  responses: { 202: { description: 'Accepted; see `status`.', schema: MessageSentBody } },
  failures: [400, 404],
  async handler(context, { params }) {
    const { userId, ...sent } = await resendMessage(context.endpoints, context.team.teamId, params.webhook_id, params.message_id);
    return accepted(sent, { userId });
  },
});

/** Attempts at the deliveries of an endpoint. */
export const attemptRoutes: readonly Route[] = [
  listAttemptsRoute,
  recoverMessagesRoute,
  getStatisticsRoute,
  sendTestRoute,
  resendMessageRoute,
];
