import { getUser, listConnections, type Connection, extendDemos, refreshUser, deregisterConnection } from '@pulsewire/connections';
import {
  renderDateTime,
  UserParams,
  UserProvidersBody,
  type UserProvider,
  RefreshBody,
  RefreshErrorBody,
  RefreshQuery,
  SuccessBody,
  UserProviderParams,
} from '@pulsewire/contract';
import { readHistoryProgress, type HistoryProgress, type RefreshState, type RefreshWindow } from '@pulsewire/ingest';
import { sleep, isAppError } from '@pulsewire/kernel';
import { findIdentity, resourceAvailability } from '@pulsewire/providers';
import type { ApiContext, KeyContext } from '../../../context/context.ts';
import type { RefreshPorts } from '../../../context/ingest-ports.ts';
import { refOf } from '../../../render/provider.ts';
import { renderConnectionError } from '../../../render/user.ts';
import { sourcesOf, refreshStatusOf, type RefreshItem } from '../../../render/refresh.ts';
import { defineRoute, ok, accepted, type RouteResponse } from '../../../route/route.ts';
import { settleSoon } from './settle-soon.ts';

function renderProgress(progress: HistoryProgress) {
  return {
    status: progress.status,
    scheduled_at: renderDateTime(progress.scheduledAt.getTime()),
    ended_at: progress.endedAt && renderDateTime(progress.endedAt.getTime()),
    resources_total: progress.resourcesTotal,
    resources_ended: progress.resourcesEnded,
    windows_total: progress.windowsTotal,
    windows_ended: progress.windowsEnded,
    windows_given_up: progress.windowsGivenUp,
  };
}

function renderConnection(context: ApiContext, connection: Connection, progress: HistoryProgress | undefined): UserProvider {
  const { connectorFor } = context.links;
  // Without a connector a demo still has data; a real connection does not.
  const known = connection.isDemo ? findIdentity(connection.provider, connectorFor) : connectorFor(connection.provider);
  return {
    ...refOf(context, connection.provider),
    created_on: renderDateTime(connection.createdAt.getTime()),
    status: connection.status,
    external_user_id: connection.externalUserId,
    error_details: renderConnectionError(connection),
    historical_pull: progress ? renderProgress(progress) : null,
    resource_availability: known ? resourceAvailability(known, connection.grantedScopes, connection.deniedScopes) : {},
  } as UserProvider;
}

export const getUserProvidersRoute = defineRoute({
  method: 'GET',
  path: '/v2/user/providers/{user_id}',
  operationId: 'getUserProviders',
  area: 'users',
  auth: 'key',
  summary: 'List the providers that a user is connected to',
  params: UserParams,
  responses: { 200: { description: 'Every live connection.', schema: UserProvidersBody } },
  failures: [404],
  async handler(context, { params }) {
    const { teamId } = context.team;
    await getUser(context.database, teamId, params.user_id);
    const connections = await listConnections(context.database, teamId, [params.user_id]);
    const connectionIds = connections.map(({ connectionId }) => connectionId);
    const progress = await readHistoryProgress(context.database, { teamId, connectionIds });
    return ok({
      providers: connections.map((connection) => renderConnection(context, connection, progress.get(connection.connectionId))),
    });
  },
});

const pollMs = 200;

/** Waits until no window is in progress, or the signal aborts; returns the state of each window. */
async function waitForRefresh(
  refresh: Pick<RefreshPorts, 'read'>,
  windows: readonly RefreshWindow[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, RefreshState>> {
  const ids = windows.map(({ windowId }) => windowId);
  if (ids.length === 0) return new Map();
  for (;;) {
    const states = await refresh.read(ids);
    if (signal.aborted || ![...states.values()].includes('in_progress')) return states;
    await sleep(pollMs, signal);
  }
}

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

export const deregisterProviderRoute = defineRoute({
  method: 'DELETE',
  path: '/v2/user/{user_id}/{provider}',
  operationId: 'deregisterProvider',
  area: 'users',
  auth: 'key',
  summary: 'Disconnect a provider from a user',
  description: 'Deletes the tokens, stops pulls and pushes, and revokes the consent at the provider. Stored data remain.',
  params: UserProviderParams,
  responses: { 200: { description: 'Deregistered.', schema: SuccessBody } },
  failures: [404],
  async handler(context, { params }) {
    const reference = { teamId: context.team.teamId, userId: params.user_id, provider: params.provider };
    await deregisterConnection(context.database, context.links, reference);
    settleSoon(context);
    return ok({ success: true });
  },
});
