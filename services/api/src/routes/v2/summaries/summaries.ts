import { getUser } from '@pulsewire/connections';
import {
  type WireSummary,
  SummaryDaysQuery,
  SummaryQuery,
  type SummaryResource,
  UserParams,
  summaryBody,
  SummaryProviderQuery,
} from '@pulsewire/contract';
import { AppError } from '@pulsewire/kernel';
import {
  mergeSummaries,
  readTimedSummaries,
  scanSummaries,
  sourceOrder,
  stateOfSummaries,
  type SummaryQuery as StoredQuery,
  readSummaries,
} from '@pulsewire/store';
import { Type } from 'typebox';
import type { KeyContext } from '../../../context/context.ts';
import { jsonArray, jsonObject } from '../../../render/json-chunks.ts';
import { sourceForTeam } from '../../../render/removed-fields.ts';
import { sourceIdOf } from '../../../render/source-id.ts';
import { preferredSources } from '../../../render/source-preference.ts';
import { defineRoute, ok, streamed, type Route, type RouteResponse } from '../../../route/route.ts';
import { mergeableBody, mergedField, mergedWindowMaxMs } from '../../../schemas/merged.ts';
import { windowFields } from '../../../schemas/window.ts';
import { orderedBounds } from '../../../validate/ordered-bounds.ts';
import { instants, summaryWindow } from '../../../validate/read-window.ts';
import { fieldError } from '../../../validate/validate-request.ts';

/** Renders summaries for a team, by its contract date. */
function summaryForTeam(context: KeyContext): (summary: WireSummary) => WireSummary {
  const toWire = sourceForTeam(context);
  return (summary) => ({ ...summary, source: toWire(summary['source'] as Readonly<Record<string, unknown>>) });
}

/** Pages of summaries as JSON texts. */
async function* summaryTexts(context: KeyContext, pages: AsyncIterable<readonly WireSummary[]>): AsyncGenerator<readonly string[]> {
  const toWire = summaryForTeam(context);
  for await (const page of pages) yield page.map((summary) => JSON.stringify(toWire(summary)));
}

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

export const readProfileRoute = defineRoute({
  method: 'GET',
  path: '/v2/summary/profile/{user_id}',
  operationId: 'readProfile',
  area: 'summaries',
  auth: 'key',
  summary: 'Read the profile of a user',
  description: 'With several providers, the profile that changed last.',
  params: UserParams,
  query: SummaryProviderQuery,
  responses: { 200: { description: 'The profile.', schema: summaryBody('profile') } },
  failures: [404],
  async handler(context, { params, query }) {
    const { teamId } = context.team;
    const { user_id: userId } = params;
    await getUser(context.database, teamId, userId);
    const profiles = await readSummaries(context.database, {
      teamId,
      userId,
      resource: 'profile',
      provider: query.provider ?? '',
      window: { by: 'all' },
      sourceIdOf: sourceIdOf(context),
    });
    const changedAt = (profile: (typeof profiles)[number]) => Date.parse(String(profile['updated_at']));
    const [latest] = profiles.toSorted((a, b) => changedAt(b) - changedAt(a));
    if (!latest)
      throw new AppError({ code: 'profile_not_found', kind: 'not_found', message: 'No provider has sent a profile for this user' });
    return ok(summaryForTeam(context)(latest));
  },
});
