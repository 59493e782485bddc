import { MessageDetailBody } from '@pulsewire/contract';
import { getMessage } from '@pulsewire/webhooks';
import { defineRoute } from '../../../route/route.ts';
import { MessageParams } from '../../../schemas/webhooks.ts';
import { jsonText, withRawBody } from './with-raw-body.ts';

export const getMessageRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/message/{message_id}',
  operationId: 'getTeamMessage',
  area: 'webhooks',
  auth: 'key',
  summary: 'Read a message with its body and every attempt at every endpoint',
  params: MessageParams,
  responses: { 200: { description: 'The message.', schema: MessageDetailBody } },
  failures: [404],
  async handler(context, { params }) {
    const { body, ...rest } = await getMessage(context.endpoints, context.team.teamId, params.message_id);
    return { status: 200, headers: jsonText, body: withRawBody(rest, body), concerns: { userId: rest.user_id } };
  },
});
