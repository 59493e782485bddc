import { getUser } from '@pulsewire/connections';
import {
  flatBody,
  groupedBody,
  renderSample,
  stageSamples,
  timeseriesResource,
  UserParams,
  type Sample,
  type WireSummary,
} from '@pulsewire/contract';
import { AppError } from '@pulsewire/kernel';
import { readSummaries } from '@pulsewire/store';
import type { KeyContext } from '../../../context/context.ts';
import { keepsRemoved, sourceForTeam } from '../../../render/removed-fields.ts';
import { defineRoute, ok, type Route } from '../../../route/route.ts';
import { SeriesQuery } from './read-grouped.ts';
import { orderedBounds } from '../../../validate/ordered-bounds.ts';
import { instants, type WindowQuery } from '../../../validate/read-window.ts';

const row = timeseriesResource('hypnogram');
// A stage may begin in the window although its night began earlier.
const longestNightMs = 36 * 3_600_000;

const removed = () =>
  new AppError({
    code: 'hypnogram_removed',
    kind: 'not_found',
    message: 'The hypnogram has been removed; read /v2/summary/sleep_cycle instead',
  });

interface Night {
  readonly cycle: WireSummary;
  readonly samples: readonly Sample[];
}

/** Sleep cycles with the stages that begin in the window. */
async function nightsOf(
  context: KeyContext,
  userId: string,
  query: WindowQuery & { readonly provider?: string | undefined },
): Promise<readonly Night[]> {
  if (!keepsRemoved(context, 'hypnogram')) throw removed();
  await getUser(context.database, context.team.teamId, userId);
  const { fromMs, toMs } = instants(query, context.clock.now());
  const cycles = await readSummaries(context.database, {
    teamId: context.team.teamId,
    userId,
    resource: 'sleep_cycle',
    provider: query.provider ?? '',
    window: { by: 'instant', fromMs: fromMs - longestNightMs, toMs },
  });
  return cycles.map((cycle) => ({ cycle, samples: stageSamples(cycle).filter(({ ts }) => ts >= fromMs && ts <= toMs) }));
}

const wire = (samples: readonly Sample[]) => samples.map((sample) => renderSample(row, undefined, sample));

function groupsOf(context: KeyContext, nights: readonly Night[]): object {
  const toWire = sourceForTeam(context);
  const groups: Record<string, { source: unknown; data: unknown[] }[]> = {};
  const bySource = new Map<string, unknown[]>();
  for (const { cycle, samples } of nights.filter((night) => night.samples.length > 0)) {
    const key = JSON.stringify(cycle['source']);
    const data = bySource.get(key) ?? [];
    if (!bySource.has(key))
      (groups[String(cycle['source_provider'])] ??= []).push({ source: toWire(cycle['source'] as object as never), data });
    bySource.set(key, data);
    data.push(...wire(samples));
  }
  return groups;
}

const common = {
  method: 'GET',
  area: 'timeseries',
  auth: 'key',
  deprecated: true,
  deprecation: 'hypnogram',
  params: UserParams,
  query: SeriesQuery,
  failures: [404],
} as const;

/** The reads of the hypnogram, which sleep cycles replaced: for teams with a contract date before its removal. */
export const hypnogramRoutes: readonly Route[] = [
  defineRoute({
    ...common,
    path: '/v2/timeseries/{user_id}/hypnogram/grouped',
    operationId: 'readHypnogramGrouped',
    summary: 'Read sleep stages as samples, grouped by provider and source',
    responses: { 200: { description: 'All stages of the window, on one page.', schema: groupedBody(row) } },
    refine: ({ query }, { clock }) => orderedBounds(query, clock.now()),
    async handler(context, { params, query }) {
      const nights = await nightsOf(context, params.user_id, query);
      return ok({ groups: groupsOf(context, nights), next_cursor: null, next: null });
    },
  }),
  defineRoute({
    ...common,
    path: '/v2/timeseries/{user_id}/hypnogram',
    operationId: 'readHypnogram',
    summary: 'Read sleep stages as a flat array',
    responses: { 200: { description: 'All stages of the window, ascending in time.', schema: flatBody(row) } },
    refine: ({ query }, { clock }) => orderedBounds(query, clock.now()),
    async handler(context, { params, query }) {
      const nights = await nightsOf(context, params.user_id, query);
      return ok(wire(nights.flatMap(({ samples }) => samples).toSorted((a, b) => a.ts - b.ts)));
    },
  }),
];
