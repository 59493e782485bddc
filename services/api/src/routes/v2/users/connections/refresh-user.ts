import { isAppError } from '@pulsewire/kernel';
import { RefreshBody, RefreshErrorBody, RefreshQuery, UserParams } from '@pulsewire/contract';
import { extendDemos, refreshUser, type Connection } from '@pulsewire/connections';
import type { KeyContext } from '../../../../context/context.ts';
import { accepted, defineRoute, ok, type RouteResponse } from '../../../../route/route.ts';
import { sourcesOf, refreshStatusOf, type RefreshItem } from '../../../../render/refresh.ts';
import { waitForRefresh } from './wait-for-refresh.ts';

const demosMax = 10;

function refused(context: KeyContext, userId: string, error: unknown): RouteResponse {
  if (!isAppError(error) || error.code !== 'refresh_impossible') throw error;
  const failed = error.details['failed'] as readonly Connection[];
  const sources = failed.flatMap(({ provider }) => sourcesOf(context, provider));
  return { status: 400, body: { success: false, user_id: userId, error: error.message, failed_sources: sources } };
}

export const refreshUserRoute = defineRoute({
  method: 'POST',
  path: '/v2/user/refresh/{user_id}',
  operationId: 'refreshUser',
  area: 'users',
  auth: 'key',
  waitsForOthers: true,
  summary: 'Refresh the data of a user now',
  description: 'Waits at most `timeout` seconds for the pulls. Allowed eight times an hour per user.',
  params: UserParams,
  query: RefreshQuery,
  responses: {
    200: { description: 'All pulls have finished.', schema: RefreshBody },
    202: { description: 'Some pulls are still running.', schema: RefreshBody },
    400: { description: 'The user has nothing to pull.', schema: RefreshErrorBody },
  },
  failures: [404, 429],
  async handler(context, { params, query }) {
    const { database, clock, refresh, background, fillDemo: fill } = context;
    const { user_id: userId } = params;
    const { teamId } = context.team;
    const signal = AbortSignal.any([AbortSignal.timeout(Math.round(query.timeout * 1000)), background.signal]);
    try {
      const { planned, failed } = await refreshUser(context, { teamId, userId }, (tx, { isDemo, connectionId }) =>
        isDemo ? Promise.resolve([]) : refresh.plan(tx, connectionId),
      );
      await extendDemos({ database, clock, fill }, { userId, limit: demosMax, signal });
      const items = planned.flatMap(({ connection, work }): RefreshItem[] =>
        work.map((window) => ({ ...window, provider: connection.provider })),
      );
      const states = await waitForRefresh(refresh, items, signal);
      const demos = planned.filter(({ connection }) => connection.isDemo).map(({ connection }) => connection.provider);
      const status = refreshStatusOf(context, { items, states, refreshed: demos, failed: failed.map(({ provider }) => provider) });
      const body = { success: true, user_id: userId, ...status };
      return status.in_progress_sources.length > 0 ? accepted(body) : ok(body);
    } catch (error) {
      return refused(context, userId, error);
    }
  },
});
