import { HistoricalPullsBody, IntrospectionQuery, renderDateTime } from '@pulsewire/contract';
import { listConnections } from '@pulsewire/connections';
import { readHistoricalPulls, type HistoricalPull } from '@pulsewire/ingest';
import { readDataExtents, type DataExtent } from '@pulsewire/store';
import type { KeyContext } from '../../../context/context.ts';
import { apiVersion } from '../../../docs/openapi-options.ts';
import { defineRoute, ok } from '../../../route/route.ts';
import { groupRows, pageOfUsers } from './page-of-users.ts';
import { pullError } from './pull-error.ts';

const instant = (date: Date | null) => (date === null ? null : renderDateTime(date.getTime()));

function renderPull(pull: HistoricalPull, extent: DataExtent | undefined) {
  return {
    status: pull.status,
    range_start: `${pull.startDate}T00:00:00+00:00`,
    range_end: instant(pull.endAt),
    timeline: {
      scheduled_at: renderDateTime(pull.scheduledAt.getTime()),
      started_at: instant(pull.startedAt),
      ended_at: instant(pull.endedAt),
    },
    days_with_data: extent?.days ?? pull.daysPulled,
    windows_given_up: pull.windowsGivenUp,
    release: apiVersion,
    trace_id: pull.traceId,
    error_details: pullError(pull),
  };
}

/** Resources of a connection's provider by user and slug. */
async function resourcesOf({ database, team, links }: KeyContext, userIds: readonly string[]) {
  const connections = await listConnections(database, team.teamId, userIds);
  return connections.map(({ userId, provider }) => ({
    userId,
    provider,
    resources: Object.keys(links.connectorFor(provider)?.resources ?? {}),
  }));
}

export const readHistoricalPullsRoute = defineRoute({
  method: 'GET',
  path: '/v2/introspect/historical_pull',
  operationId: 'readHistoricalPulls',
  area: 'introspection',
  auth: 'key',
  summary: 'Read how far the pulls of history have come, by user, provider and resource',
  description: 'A pull starts when a user connects. A failed one lists how many parts of its range were given up; the rest is stored.',
  query: IntrospectionQuery,
  responses: { 200: { description: 'A page of users.', schema: HistoricalPullsBody } },
  async handler(context, { query }) {
    const { database, team } = context;
    const { userIds, provider, nextCursor } = await pageOfUsers(context, query);
    const filter = { teamId: team.teamId, userIds, provider };
    const pulls = groupRows(userIds, await readHistoricalPulls(database, filter));
    const extents = groupRows(userIds, await readDataExtents(database, filter));
    const connected = (await resourcesOf(context, userIds)).filter((one) => provider === null || one.provider === provider);
    const data = userIds.map((userId) => {
      const slugs = new Set([
        ...(pulls.get(userId)?.keys() ?? []),
        ...connected.filter((one) => one.userId === userId).map((one) => one.provider),
      ]);
      return { user_id: userId, provider: Object.fromEntries([...slugs].sort().map((slug) => [slug, ofProvider(userId, slug)])) };
    });
    return ok({ data, next_cursor: nextCursor, next: nextCursor });

    function ofProvider(userId: string, slug: string) {
      const pulled = pulls.get(userId)?.get(slug) ?? new Map<string, readonly HistoricalPull[]>();
      const stored = extents.get(userId)?.get(slug);
      const known = connected.find((one) => one.userId === userId && one.provider === slug)?.resources ?? [];
      return {
        pulled: Object.fromEntries(
          [...pulled].flatMap(([name, [pull]]) => (pull ? [[name, renderPull(pull, stored?.get(name)?.[0])]] : [])),
        ),
        not_pulled: known.filter((name) => !pulled.has(name)).sort(),
      };
    }
  },
});
