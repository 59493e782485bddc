import { Type } from 'typebox';
import { isAppError } from '@pulsewire/kernel';
import { findByReadSlug, GroupedBody, GroupedQuery, resources, timeseriesParams } from '@pulsewire/contract';
import { getUser } from '@pulsewire/connections';
import { readGroupedSamples } from '@pulsewire/store';
import { defineRoute, ok } from '../../../route/route.ts';
import { orderedBounds } from '../../../validate/ordered-bounds.ts';
import { fieldError, validationError } from '../../../validate/validate-request.ts';
import { instants } from '../../../validate/read-window.ts';
import { readPageCursor, writePageCursor } from '../../../render/page-cursor.ts';
import { windowFields } from '../../../schemas/window.ts';

// Both the read slug and the name in events; they differ for weight and fat.
const slugs = [...new Set(resources.flatMap((row) => (row.kind === 'timeseries' ? [row.readSlug, row.name] : [])))];

export const readGroupedRoute = defineRoute({
  method: 'GET',
  path: '/v2/timeseries/{user_id}/{resource}/grouped',
  operationId: 'readGroupedTimeseries',
  area: 'timeseries',
  auth: 'key',
  summary: 'Read samples, grouped by provider and source',
  description: 'Sorted by provider, source type and time. A group may continue under the same source on the next page.',
  params: timeseriesParams(slugs),
  query: Type.Object({ ...GroupedQuery.properties, ...windowFields }, { title: 'GroupedQuery' }),
  answers: { 200: { description: 'One page.', schema: GroupedBody } },
  failures: [404],
  refine: ({ query }, { clock }) => orderedBounds(query, clock.now()),
  async handler(context, { params, query }) {
    const { teamId } = context.team;
    const { user_id: userId } = params;
    await getUser(context.database, teamId, userId);
    const given = query.next_cursor ?? query.cursor;
    const unreadable = () =>
      validationError([
        fieldError(['query', query.next_cursor === undefined ? 'cursor' : 'next_cursor'], 'Is not a cursor of this query', given),
      ]);
    const from = given === undefined ? null : readPageCursor(given);
    if (given !== undefined && from === null) throw unreadable();
    const now = from?.now ?? context.clock.now();
    const page = await readGroupedSamples(context.database, {
      teamId,
      userId,
      resource: findByReadSlug(params.resource)?.name ?? params.resource,
      provider: query.provider ?? '',
      ...instants(query, now),
      cursor: from?.cursor ?? null,
      limit: context.settings.samplesPerPage,
    }).catch((error: unknown) => {
      throw isAppError(error) && error.code === 'cursor_unreadable' ? unreadable() : error;
    });
    const next = page.nextCursor === null ? null : writePageCursor({ now, cursor: page.nextCursor });
    return ok({ groups: page.groups, next_cursor: next, next });
  },
});
