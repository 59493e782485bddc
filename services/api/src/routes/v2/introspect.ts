import { listUserIds, listConnections } from '@pulsewire/connections';
import { IntrospectionQuery, renderDateTime, ResourceStatisticsBody, HistoricalPullsBody } from '@pulsewire/contract';
import { type HistoricalPull, readLastAttempts, type LastAttempt, readHistoricalPulls } from '@pulsewire/ingest';
import { readDataExtents, type DataExtent } from '@pulsewire/store';
import type { Static } from 'typebox';
import type { KeyContext } from '../../context/context.ts';
import { apiVersion } from '../../docs/openapi-options.ts';
import { defineRoute, ok, type Route } from '../../route/route.ts';
import { readCursor, uuidShape, writeCursor } from '../../validate/list-cursor.ts';

interface PageOfUsers {
  readonly userIds: readonly string[];
  readonly provider: string | null;
  readonly nextCursor: string | null;
}

/** The users of a page, ordered by id. Throws AppError `request_invalid` for a cursor of another list. */
async function pageOfUsers({ database, team }: KeyContext, query: Static<typeof IntrospectionQuery>): Promise<PageOfUsers> {
  const provider = query.provider || null;
  const userId = query.user_id ?? null;
  const filter = { teamId: team.teamId, provider, userId };
  const field = query.next_cursor == null ? 'cursor' : 'next_cursor';
  const place = readCursor(query[field], { filter, shape: [uuidShape], loc: ['query', field] });
  const found = await listUserIds(database, team.teamId, { after: place?.[0] ?? null, limit: query.user_limit + 1, userId });
  const userIds = found.slice(0, query.user_limit);
  const last = found.length > query.user_limit ? userIds.at(-1) : undefined;
  return { userIds, provider, nextCursor: last === undefined ? null : writeCursor(filter, [last]) };
}

/** Rows by user, provider and resource, for every user of the page, including users without rows. */
function groupRows<Row extends { readonly userId: string; readonly provider: string; readonly resource: string }>(
  userIds: readonly string[],
  rows: readonly Row[],
): ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, readonly Row[]>>> {
  const users = new Map(userIds.map((userId) => [userId, new Map<string, Map<string, Row[]>>()]));
  for (const row of rows) {
    const providers = users.get(row.userId);
    if (!providers) continue;
    const resources = providers.get(row.provider) ?? new Map<string, Row[]>();
    providers.set(row.provider, resources);
    resources.set(row.resource, [...(resources.get(row.resource) ?? []), row]);
  }
  return users;
}

/** Why a pull is retried, by the code of its last failure. */
const retried: Readonly<Record<string, string>> = {
  provider_rate_limited: 'provider_rate_limit_exceeded',
  provider_quota_spent: 'provider_rate_limit_exceeded',
  window_exceeds_quota: 'provider_rate_limit_exceeded',
  provider_transient: 'provider_unavailable',
  provider_maintenance: 'provider_unavailable',
  lease_lost: 'resource_contention',
  request_timeout: 'transport_failure',
  request_failed: 'transport_failure',
};
const final: Readonly<Record<string, string>> = {
  provider_permanent: 'non_retriable_error',
  provider_discontinued: 'non_retriable_error',
  connection_removed: 'non_retriable_error',
  object_forgotten: 'non_retriable_error',
};

/** The public reason of a retried or failed pull; null for all others. */
function pullError({ status, errorCode }: Pick<HistoricalPull, 'status' | 'errorCode'>): string | null {
  if (status === 'retrying') return retried[errorCode ?? ''] ?? 'provider_unavailable';
  if (status !== 'failure') return null;
  const code = errorCode ?? '';
  return final[code] ?? (Object.hasOwn(retried, code) ? 'retry_quota_exhausted' : 'unexpected_error');
}

type Fact = ({ readonly kind: 'attempt' } & LastAttempt) | ({ readonly kind: 'extent' } & DataExtent);

const instant = (date: Date | null | undefined) => (date ? renderDateTime(date.getTime()) : null);

function statistics(facts: readonly Fact[]) {
  const attempt = facts.find((fact) => fact.kind === 'attempt');
  const extent = facts.find((fact) => fact.kind === 'extent');
  return {
    last_attempt: attempt ? { timestamp: renderDateTime(attempt.at.getTime()), status: attempt.isSuccess ? 'success' : 'failure' } : null,
    oldest_data: instant(extent?.oldest),
    newest_data: instant(extent?.newest),
    sent_count: extent?.count ?? null,
  };
}

const readResourceStatisticsRoute = defineRoute({
  method: 'GET',
  path: '/v2/introspect/resources',
  operationId: 'readResourceStatistics',
  area: 'introspection',
  auth: 'key',
  summary: 'Read what was pulled and stored, by user, provider and resource',
  description: 'Shows when each resource was last pulled, with what outcome, and how far its data reaches. Users are listed by id.',
  query: IntrospectionQuery,
  responses: { 200: { description: 'A page of users.', schema: ResourceStatisticsBody } },
  async handler(context, { query }) {
    const { database, team } = context;
    const { userIds, provider, nextCursor } = await pageOfUsers(context, query);
    const filter = { teamId: team.teamId, userIds, provider };
    const [attempts, extents] = await Promise.all([readLastAttempts(database, filter), readDataExtents(database, filter)]);
    const facts: readonly Fact[] = [
      ...attempts.map((attempt) => ({ kind: 'attempt' as const, ...attempt })),
      ...extents.map((extent) => ({ kind: 'extent' as const, ...extent })),
    ];
    const data = [...groupRows(userIds, facts)].map(([userId, providers]) => ({
      user_id: userId,
      provider: Object.fromEntries(
        [...providers].map(([slug, resources]) => [slug, Object.fromEntries([...resources].map(([name, of]) => [name, statistics(of)]))]),
      ),
    }));
    return ok({ data, next_cursor: nextCursor, next: nextCursor });
  },
});

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

const readHistoricalPullsRoute = defineRoute({
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

/** What was read of which user. */
export const introspectRoutes: readonly Route[] = [readResourceStatisticsRoute, readHistoricalPullsRoute];
