import { Type } from 'typebox';
import { summaryBody, SummaryDaysQuery, SummaryQuery, type SummaryResource, UserParams } from '@pulsewire/contract';
import { getUser } from '@pulsewire/connections';
import { scanSummaries, stateOfSummaries } from '@pulsewire/store';
import { defineRoute, streamed, type Route } from '../../../route/route.ts';
import { orderedBounds } from '../../../validate/ordered-bounds.ts';
import { instants, summaryWindow } from '../../../validate/read-window.ts';
import { jsonArray, jsonObject } from '../../../render/json-chunks.ts';
import { summaryTexts } from '../../../render/summary-texts.ts';
import { sourceIdOf } from '../../../render/source-id.ts';
import { windowFields } from '../../../schemas/window.ts';

const InstantsQuery = Type.Object({ ...SummaryQuery.properties, ...windowFields }, { title: 'SummaryQuery' });

const queries = { instants: InstantsQuery, days: SummaryDaysQuery } as const;

/** The read endpoint of a summary that returns a list. One row of the resource registry makes one endpoint. */
export function readSummariesRoute(
  resource: SummaryResource & { readonly window: 'instants' | 'days'; readonly responseKey: string },
): Route {
  const { name, responseKey } = resource;
  return defineRoute({
    method: 'GET',
    path: `/v2/summary/${name}/{user_id}`,
    operationId: `read_${name}_summaries`.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    area: 'summaries',
    auth: 'key',
    summary: `Read ${name.replaceAll('_', ' ')} summaries`,
    description: 'The latest version of each, ascending. Not paged: the window limits the response.',
    params: UserParams,
    query: queries[resource.window],
    responses: { 200: { description: 'The summaries in the window; may be empty.', schema: summaryBody(name) } },
    failures: [404],
    refine: ({ query }, { clock }) => orderedBounds(query, clock.now()),
    async handler(context, { params, query }) {
      const { teamId } = context.team;
      const { user_id: userId } = params;
      await getUser(context.database, teamId, userId);
      const now = context.clock.now();
      // Plain dates of a session-bound summary bound the instant at which the session started.
      const window = resource.window === 'days' ? ({ by: 'instant', ...instants(query, now) } as const) : summaryWindow(query, now);
      const pages = scanSummaries(
        context.database,
        { teamId, userId, resource: name, provider: query.provider ?? '', window, sourceIdOf: sourceIdOf(context) },
        (page) => context.readSlots.run(teamId, page),
      );
      const state = await stateOfSummaries(context.database, { teamId, userId, resource: name });
      return streamed(jsonObject([[responseKey, jsonArray(summaryTexts(context, pages))]]), state);
    },
  });
}
