import { RecoverBody, RecoveredBody } from '@pulsewire/contract';
import { recoverSince } from '@pulsewire/webhooks';
import { accepted, defineRoute } from '../../../../route/route.ts';
import { dateTimeMs } from '../../../../validate/formats.ts';
import { fieldError } from '../../../../validate/validate-request.ts';
import { EndpointParams } from '../../../../schemas/webhooks.ts';
import { withFieldRefusals } from '../../../../validate/webhook-refusals.ts';

export const recoverMessagesRoute = defineRoute({
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
