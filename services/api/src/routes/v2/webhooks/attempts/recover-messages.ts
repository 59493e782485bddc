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
  summary: 'Send again what failed since a time',
  description: 'A replay of what did not arrive at its last attempt. Asked again while that runs, it gives the same one.',
  params: EndpointParams,
  body: RecoverBody,
  answers: { 202: { description: 'On their way again.', schema: RecoveredBody } },
  failures: [400, 404, 409],
  refine: ({ body }, { clock }) =>
    dateTimeMs(body.since) > clock.now().getTime() ? [fieldError(['body', 'since'], 'Must not lie in the future', body.since)] : [],
  handler: async (context, { params, body }) =>
    withFieldRefusals({ body }, async () =>
      accepted(await recoverSince(context.endpoints, context.team.teamId, params.webhook_id, new Date(dateTimeMs(body.since)))),
    ),
});
