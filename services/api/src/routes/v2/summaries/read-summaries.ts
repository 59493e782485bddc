import { Type } from 'typebox';
import { SummaryDaysQuery, SummaryQuery, type SummaryResource, UserParams } from '@pulsewire/contract';
import { getUser } from '@pulsewire/connections';
import {
  mergeSummaries,
  readTimedSummaries,
  scanSummaries,
  sourceOrder,
  stateOfSummaries,
  type SummaryQuery as StoredQuery,
} from '@pulsewire/store';
import type { KeyContext } from '../../../context/context.ts';
import { defineRoute, ok, streamed, type Route, type RouteResponse } from '../../../route/route.ts';
import { orderedBounds } from '../../../validate/ordered-bounds.ts';
import { instants, summaryWindow } from '../../../validate/read-window.ts';
import { jsonArray, jsonObject } from '../../../render/json-chunks.ts';
import { summaryForTeam, summaryTexts } from '../../../render/summary-texts.ts';
import { preferredSources } from '../../../render/source-preference.ts';
import { sourceIdOf } from '../../../render/source-id.ts';
import { mergeableBody, mergedField, mergedWindowMaxMs } from '../../../schemas/merged.ts';
import { windowFields } from '../../../schemas/window.ts';
import { fieldError } from '../../../validate/validate-request.ts';

const InstantsQuery = Type.Object({ ...SummaryQuery.properties, ...windowFields, ...mergedField }, { title: 'SummaryQuery' });
const DaysQuery = Type.Object({ ...SummaryDaysQuery.properties, ...mergedField }, { title: 'SummaryDaysQuery' });

const queries = { instants: InstantsQuery, days: DaysQuery } as const;

/** One merged view of all sources, preferred ones first. */
async function readMerged(context: KeyContext, query: StoredQuery, prefer: readonly string[], responseKey: string): Promise<RouteResponse> {
  const { database, team, teamSlots } = context;
  const summaries = await teamSlots.run(team.teamId, () => readTimedSummaries(database, query));
  const merged = mergeSummaries(query.resource, summaries, sourceOrder(prefer));
  const toWire = summaryForTeam(context);
  return ok({
    [responseKey]: merged.map(({ summary }) => toWire(summary)),
    merged: merged.map(({ summary, parts }) => ({ id: summary['id'], parts })),
  });
}

/** The read endpoint of a summary that returns a list. One endpoint per row of the resource registry. */
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
    responses: { 200: { description: 'The summaries in the window; may be empty.', schema: mergeableBody(name) } },
    failures: [404],
    refine({ query }, { clock }) {
      const { fromMs, toMs } = instants(query, clock.now());
      const isTooLong = query.source === 'merged' && toMs - fromMs > mergedWindowMaxMs;
      const tooLong = fieldError(['query', 'start_date'], 'Must be at most 366 days before the end of a merged read', query.start_date);
      return [...orderedBounds(query, clock.now()), ...(isTooLong ? [tooLong] : [])];
    },
    async handler(context, { params, query }) {
      const { teamId } = context.team;
      const { user_id: userId } = params;
      await getUser(context.database, teamId, userId);
      const now = context.clock.now();
      // For a summary of a session, plain dates are bounds of the session's start instant.
      const window = resource.window === 'days' ? ({ by: 'instant', ...instants(query, now) } as const) : summaryWindow(query, now);
      const wanted = { teamId, userId, resource: name, provider: query.provider ?? '', window, sourceIdOf: sourceIdOf(context) };
      if (query.source === 'merged') return readMerged(context, wanted, preferredSources(query.prefer, context.team, name), responseKey);
      const pages = scanSummaries(context.database, wanted, (page) => context.teamSlots.run(teamId, page));
      const state = await stateOfSummaries(context.database, { teamId, userId, resource: name });
      return streamed(jsonObject([[responseKey, jsonArray(summaryTexts(context, pages))]]), state);
    },
  });
}
