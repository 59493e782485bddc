import { randomUUID } from 'node:crypto';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { createUser, putOAuthCredential, runImport, updateTeam, type ImportContext } from '@pulsewire/connections';
import { findConnector, type Connector, type RefreshOutcome } from '@pulsewire/providers';
import { createCipher, type Cipher, type Database, type Tx } from '@pulsewire/database';
import { createApiHarness, otherConnector, type ApiHarness, type Caller } from '../api/support/harness.ts';

export interface BulkHarness {
  readonly api: ApiHarness;
  readonly cipher: Cipher;
  /** Operations for which a worker was requested, in order. */
  readonly asked: string[];
  /** Connections whose plans were stopped. */
  readonly stopped: string[];
  /** Connections that were planned after an import. */
  readonly planned: string[];
  /** Connections that were replaced by one of another account. */
  readonly replaced: string[];
  readonly imports: ImportContext;
  /** What the provider answers to a refresh, by the refresh token; others are unclear. */
  readonly refreshes: Map<string, RefreshOutcome | Promise<RefreshOutcome>>;
  /** Refresh tokens that the provider has received, in order. */
  readonly refreshed: string[];
  /** A team for which bulk operations are enabled, with its own application at fitbit. */
  enabledCaller(): Promise<Caller>;
  newUsers(caller: Caller, count: number): Promise<readonly string[]>;
  /** New users with an imported connection each. */
  imported(caller: Caller, count: number, provider?: string, changes?: (userId: string) => object): Promise<readonly string[]>;
  /** Runs every open import, as the background worker does. */
  work(): Promise<void>;
  close(): Promise<void>;
}

const teamOfKey = { clientId: 'team-id', clientSecret: 'team-secret', redirectUrlOverride: null };

/** The API, with an import worker that the test runs explicitly. */
export async function createBulkHarness(database: Database, more: readonly Connector[] = []): Promise<BulkHarness> {
  const cipher = createCipher(new Map([[1, Buffer.alloc(32, 7)]]));
  const [requested, stopped, planned, replaced]: [string[], string[], string[], string[]] = [[], [], [], []];
  const refreshes: BulkHarness['refreshes'] = new Map();
  const refreshed: string[] = [];
  const requestWork = async (_tx: Tx, operationId: string) => void requested.push(operationId);
  const api = await createApiHarness(database, {
    connectors: more,
    overrides: {
      cipher,
      ingest: {
        refresh: { plan: async () => [], read: async () => new Map() },
        fillDemo: async () => {},
        onConnected: async () => {},
        onDeregistered: async () => {},
        receivePush: async () => ({ status: 204, body: '' }),
        bulk: { requestWork, onPaused: async (_tx, ids) => void stopped.push(...ids) },
        close: async () => {},
      },
    },
  });
  const imports: ImportContext = {
    database,
    cipher,
    clock: api.clock,
    logger: silentLogger,
    metrics: noMetrics,
    connectorFor: (slug) => (slug === 'other_band' ? otherConnector() : findConnector(slug)),
    gate: {
      refresh: async ({ refreshToken }) => {
        refreshed.push(refreshToken);
        return (await refreshes.get(refreshToken)) ?? { outcome: 'unclear', retryable: true, reason: 'http_503' };
      },
    },
    requestWork,
    onReplaced: async (_tx, connectionIds) => void replaced.push(...connectionIds),
    onImported: async (_tx, connections) => void planned.push(...connections.map(({ connectionId }) => connectionId)),
  };
  const harness: BulkHarness = {
    api,
    cipher,
    asked: requested,
    stopped,
    planned,
    replaced,
    imports,
    refreshes,
    refreshed,
    async enabledCaller() {
      const caller = await api.newCaller();
      await updateTeam(database, caller.team.teamId, { bulkOperations: true });
      await putOAuthCredential(database, { cipher, clock: api.clock }, { teamId: caller.team.teamId, provider: 'fitbit', ...teamOfKey });
      return caller;
    },
    async newUsers(caller, count) {
      const users = Array.from({ length: count }, () =>
        createUser(database, caller.team, { clientUserId: randomUUID() }, { clock: api.clock, sandboxUsersMax: 1000 }),
      );
      return (await Promise.all(users)).map(({ userId }) => userId);
    },
    async imported(caller, count, provider = 'fitbit', changes = () => ({})) {
      const users = await harness.newUsers(caller, count);
      await putOAuthCredential(database, { cipher, clock: api.clock }, { teamId: caller.team.teamId, provider, ...teamOfKey });
      const connections = users.map((userId) => recipe(userId, { ...changes(userId) }));
      await caller.call('POST', '/v2/link/bulk_import', { provider, connections });
      await harness.work();
      return users;
    },
    async work() {
      const open = await database.sql<{ operation_id: string }[]>`
        SELECT operation_id FROM bulk_operations WHERE status = 'in_progress' AND type = 'link_bulk_import' ORDER BY started_at`;
      for (const { operation_id: operationId } of open) await runImport(imports, operationId, new AbortController().signal);
    },
    close: () => api.close(),
  };
  return harness;
}

/** A recipe as in the contract, with these changes. */
export function recipe(userId: string, changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    user_id: userId,
    access_token: `access-of-${userId}`,
    refresh_token: `refresh-of-${userId}`,
    provider_id: `account-${userId.slice(0, 8)}`,
    expires_at: 2_000_000_000,
    oauth_scopes: ['activity', 'profile'],
    ...changes,
  };
}

/** Calls `work` repeatedly until the response arrives. */
export async function workUntil<T>(response: Promise<T>, work: () => Promise<unknown>): Promise<T> {
  let isOver = false;
  const settled = response.finally(() => (isOver = true));
  while (!isOver) {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return settled;
}
