import { EventListBody } from '@pulsewire/contract';
import { readTeamEvents } from '@pulsewire/webhooks';
import { defineRoute } from '../../../route/route.ts';
import { EventListQuery } from '../../../schemas/webhooks.ts';
import { withFieldRefusals } from '../../../validate/webhook-refusals.ts';
import { optionalInstant } from '../../../validate/optional-instant.ts';
import { jsonText, withRawBody } from './with-raw-body.ts';

export const listEventsRoute = defineRoute({
  method: 'GET',
  path: '/v2/team/events',
  operationId: 'listTeamEvents',
  area: 'webhooks',
  auth: 'key',
  summary: 'Read events instead of receiving them',
  description:
    'Oldest first, with the ids and bodies of the webhooks, in order for each user, as far back as events are kept (30 days by default). Compare ids to find webhooks that did not arrive.',
  query: EventListQuery,
  responses: { 200: { description: 'One page; it may be short or empty before the last.', schema: EventListBody } },
  async handler(context, { query }) {
    const page = await withFieldRefusals({ query }, () =>
      readTeamEvents(context.endpoints, context.team.teamId, {
        eventTypes: query.event_types === undefined || query.event_types.length === 0 ? null : query.event_types,
        userId: query.user_id ?? null,
        since: optionalInstant(query.since) ?? null,
        cursor: query.next_cursor ?? null,
        limit: query.limit,
      }),
    );
    const data = page.data.map(({ body, ...rest }) => withRawBody(rest, body)).join(',');
    const rest = JSON.stringify({ next_cursor: page.next_cursor, position: page.position }).slice(1);
    return { status: 200, headers: jsonText, body: `{"data":[${data}],${rest}` };
  },
});
