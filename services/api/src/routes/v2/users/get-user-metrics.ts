import { renderDateTime, UserMetricsBody } from '@pulsewire/contract';
import { readUserMetrics } from '@pulsewire/connections';
import { countOrders } from '@pulsewire/labs';
import { defineRoute, ok } from '../../../route/route.ts';

export const getUserMetricsRoute = defineRoute({
  method: 'GET',
  path: '/v2/user/metrics',
  operationId: 'getUserMetrics',
  area: 'users',
  auth: 'key',
  summary: 'Read metrics of users and connections',
  responses: { 200: { description: 'Metrics of the team.', schema: UserMetricsBody } },
  async handler(context) {
    const { teamId } = context.team;
    const metrics = await readUserMetrics(context.database, context.clock, teamId);
    return ok({
      team_id: teamId,
      number_of_connected_sources: metrics.connections,
      number_of_users: metrics.users,
      number_of_errored_connected_sources: metrics.erroredConnections,
      number_of_connected_sources_by_week: metrics.byWeek.map(({ week, created, all }) => ({
        date: renderDateTime(Date.parse(week)),
        value: created,
        all,
      })),
      number_of_ordered_tests: await countOrders(context.database, teamId),
    });
  },
});
