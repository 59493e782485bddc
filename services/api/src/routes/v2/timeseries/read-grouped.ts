import { getUser } from '@pulsewire/connections';
import { groupedBody, GroupedQuery, type TimeseriesResource, UserParams } from '@pulsewire/contract';
import { isAppError } from '@pulsewire/kernel';
import { readGroupedSamples, readMergedSamples, sourceOrder, type SamplePage } from '@pulsewire/store';
import { Type } from 'typebox';
import { sourceForTeam } from '../../../render/removed-fields.ts';
import { preferredSources } from '../../../render/source-preference.ts';
import { defineRoute, ok, type Route } from '../../../route/route.ts';
import { operationName } from './operation-name.ts';
import { mergedField } from '../../../schemas/merged.ts';
import { windowFields } from '../../../schemas/window.ts';
import { orderedBounds } from '../../../validate/ordered-bounds.ts';
import { instants } from '../../../validate/read-window.ts';
import { fieldError, validationError } from '../../../validate/validate-request.ts';

/**
 * A page's cursor together with the "now" of the first page, because a window without an end must stay the same
 * on every page.
 */
interface PageCursor {
  readonly now: Date;
  readonly cursor: string;
}

function writePageCursor({ now, cursor }: PageCursor): string {
  return `${now.getTime().toString(36)}.${cursor}`;
}

/** Null when the text is not a valid cursor. */
function readPageCursor(text: string): PageCursor | null {
  const [, time, cursor] = /^([0-9a-z]{1,9})\.(.+)$/.exec(text) ?? [];
  if (time === undefined || cursor === undefined) return null;
  return { now: new Date(Number.parseInt(time, 36)), cursor };
}

export const SeriesQuery = Type.Object({ ...GroupedQuery.properties, ...windowFields }, { title: 'GroupedQuery' });

function withSources(groups: SamplePage['groups'], toWire: ReturnType<typeof sourceForTeam>): object {
  const entries = Object.entries(groups).map(([provider, list]) => [
    provider,
    list.map(({ source, ...rest }) => ({ source: toWire(source), ...rest })),
  ]);
  return Object.fromEntries(entries);
}

const GroupedOrMergedQuery = Type.Object({ ...SeriesQuery.properties, ...mergedField }, { title: 'GroupedQuery' });

/** The grouped read of one series, under its read slug or under its name in events. */
export function readGroupedRoute(row: TimeseriesResource, slug: string): Route {
  return defineRoute({
    method: 'GET',
    path: `/v2/timeseries/{user_id}/${slug}/grouped`,
    operationId: operationName('read', slug, 'grouped'),
    area: 'timeseries',
    auth: 'key',
    summary: `Read ${row.name.replaceAll('_', ' ')} samples, grouped by provider and source`,
    description: `${row.meaning}, in ${row.unit}. Sorted by provider, source type and time. A group that does not fit on a page continues on the next one under the same source.`,
    params: UserParams,
    query: GroupedOrMergedQuery,
    responses: { 200: { description: 'One page.', schema: groupedBody(row) } },
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
      const wanted = {
        teamId,
        userId,
        resource: row.name,
        provider: query.provider ?? '',
        ...instants(query, now),
        cursor: from?.cursor ?? null,
        limit: context.settings.samplesPerPage,
      };
      const prefer = preferredSources(query.prefer, context.team, row.name);
      const reading =
        query.source === 'merged'
          ? readMergedSamples(context.database, wanted, sourceOrder(prefer), prefer.join(' '))
          : readGroupedSamples(context.database, wanted);
      const page = await reading.catch((error: unknown) => {
        throw isAppError(error) && error.code === 'cursor_unreadable' ? unreadable() : error;
      });
      const next = page.nextCursor === null ? null : writePageCursor({ now, cursor: page.nextCursor });
      return ok({ groups: withSources(page.groups, sourceForTeam(context)), next_cursor: next, next });
    },
  });
}
