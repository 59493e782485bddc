import { MessageListBody, MessageListQuery } from '@pulsewire/contract';
import { listMessages } from '@pulsewire/webhooks';
import { defineRoute, ok } from '../../../route/route.ts';
import { withFieldRefusals } from '../../../validate/webhook-refusals.ts';
import { optionalInstant, orderedRange } from '../../../validate/optional-instant.ts';

export const listMessagesRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/message',
  operationId: 'listTeamMessages',
  area: 'webhooks',
  auth: 'key',
  summary: 'List messages with their delivery status, newest first',
  query: MessageListQuery,
  responses: { 200: { description: 'One page; it may be short or empty before the last.', schema: MessageListBody } },
  refine: ({ query }) => orderedRange(query),
  handler: async (context, { query }) =>
    ok(
      await withFieldRefusals({ query }, () =>
        listMessages(context.endpoints, context.team.teamId, {
          eventType: query.event_type,
          userId: query.user_id,
          since: optionalInstant(query.since),
          until: optionalInstant(query.until),
          cursor: query.next_cursor,
          limit: query.limit,
        }),
      ),
    ),
});
