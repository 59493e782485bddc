import { IntrospectionQuery, renderDateTime, ResourceStatisticsBody } from '@pulsewire/contract';
import { readLastAttempts, type LastAttempt } from '@pulsewire/ingest';
import { readDataExtents, type DataExtent } from '@pulsewire/store';
import { defineRoute, ok } from '../../../route/route.ts';
import { groupRows, pageOfUsers } from './page-of-users.ts';

type Fact = ({ readonly kind: 'attempt' } & LastAttempt) | ({ readonly kind: 'extent' } & DataExtent);

const instant = (date: Date | undefined) => (date === undefined ? null : renderDateTime(date.getTime()));

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

export const readResourceStatisticsRoute = defineRoute({
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
