import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  abortOperation,
  createProviderGate,
  eraseUser,
  getAccessToken,
  listConnections,
  resumeConnections,
  maintainBulkOperations,
  updateTeam,
  type CustodyContext,
} from '@pulsewire/connections';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { createFakeProvider } from '../connections/fake-provider.ts';
import { useDatabase } from '../../support/database.ts';
import type { Caller } from '../api/support/harness.ts';
import { createBulkHarness, recipe, type BulkHarness } from './harness.ts';

const database = useDatabase();
let harness: BulkHarness;
let caller: Caller;
let teamId: string;

beforeAll(async () => {
  harness = await createBulkHarness(database.current);
});
beforeEach(async () => {
  caller = await harness.enabledCaller();
  ({ teamId } = caller.team);
});
afterAll(() => harness.close());

const imported = (count: number, provider?: string, changes?: (userId: string) => object) =>
  harness.imported(caller, count, provider, changes);
const statusOf = async (userId: string) => (await listConnections(database.current, teamId, [userId]))[0]?.status;
const operations = async (query = '') => (await caller.call('GET', `/v2/link/bulk_op${query}`)).body;

describe.each([
  ['/v2/link/bulk_pause', { user_ids: [], provider: 'fitbit' }],
  ['/v2/link/bulk_export', { provider: 'fitbit' }],
  ['/v2/link/bulk_trigger_historical_pull', { user_ids: [], provider: 'fitbit' }],
])('%s', (path, body) => {
  it('is rejected with 403 until an operator enables it for the team, and with 401 without a key', async () => {
    await updateTeam(database.current, teamId, { bulkOperations: false });
    expect((await caller.call('POST', path, body)).status).toBe(403);
    expect((await harness.api.bare('POST', path, body)).status).toBe(401);
  });

  it('responds with 403 before it reads the body, whatever it contains', async () => {
    await updateTeam(database.current, teamId, { bulkOperations: false });
    for (const bad of [undefined, '{"provider":', { provider: 'nowhere' }, 'x'.repeat(2_000_000)])
      expect((await caller.call('POST', path, bad)).status).toBe(403);
  });

  it('reports every invalid field', async () => {
    const reply = await caller.call('POST', path, { user_ids: ['x'], provider: 'nowhere' });
    expect([reply.status, reply.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))]).toEqual([
      422,
      ['body.user_ids.0', 'body.provider'],
    ]);
  });
});

describe('bulk_pause', () => {
  it('stops polling and refreshes of only the given users, and keeps their tokens', async () => {
    const [paused = '', other = ''] = await imported(2);
    const reply = await caller.call('POST', '/v2/link/bulk_pause', { provider: 'fitbit', user_ids: [paused, randomUUID()] });
    expect([reply.status, reply.body]).toEqual([200, {}]);
    expect([await statusOf(paused), await statusOf(other)]).toEqual(['paused', 'connected']);
    const [connection] = await listConnections(database.current, teamId, [paused]);
    expect(harness.stopped).toContain(connection?.connectionId);
    const custody = { ...harness.imports, platformApplication: () => null, gate: {} as never };
    await expect(getAccessToken(custody, connection?.connectionId ?? '')).rejects.toMatchObject({ code: 'connection_paused' });
  });

  it('does not touch the connections of another team', async () => {
    const [userId = ''] = await imported(1);
    const stranger = await harness.enabledCaller();
    await stranger.call('POST', '/v2/link/bulk_pause', { provider: 'fitbit', user_ids: [userId] });
    expect(await statusOf(userId)).toBe('connected');
  });

  it('responds after a refresh in progress, so that the next export has the new pair', async () => {
    const [userId = ''] = await imported(1, 'fitbit', () => ({ expires_at: 1_000_000_000 }));
    const [connection] = await listConnections(database.current, teamId, [userId]);
    const provider = createFakeProvider();
    const response = Promise.withResolvers<void>();
    const requested = Promise.withResolvers<void>();
    provider.beforeResponse = async () => {
      requested.resolve();
      await response.promise;
    };
    const custody: CustodyContext = {
      ...harness.imports,
      logger: silentLogger,
      metrics: noMetrics,
      platformApplication: () => null,
      gate: createProviderGate({
        http: { send: async (request) => refreshed(await provider.send(request)), close() {} },
        clock: harness.imports.clock,
      }),
    };
    const refreshing = getAccessToken(custody, connection?.connectionId ?? '').catch(() => null);
    await requested.promise;
    let hasResponded = false;
    const pausing = caller
      .call('POST', '/v2/link/bulk_pause', { provider: 'fitbit', user_ids: [userId] })
      .finally(() => (hasResponded = true));
    while ((await statusOf(userId)) !== 'paused') await new Promise((resolve) => setTimeout(resolve, 10));
    expect(hasResponded).toBe(false);
    response.resolve();
    await Promise.all([pausing, refreshing]);
    const page = await caller.call('POST', '/v2/link/bulk_export', { provider: 'fitbit', user_ids: [userId] });
    expect(page.body.data[0].access_token).toBe('the-new-token');
  });

  it('prevents a refresh by a worker that read the connection before the pause', async () => {
    const [userId = ''] = await imported(1, 'fitbit', () => ({ expires_at: 1_000_000_000 }));
    const [connection] = await listConnections(database.current, teamId, [userId]);
    const { sql } = database.current;
    await sql`UPDATE connections SET status = 'paused' WHERE user_id = ${userId}`;
    // A worker that read the row before the pause still sees it as connected.
    const { takeRefreshLease } = await import('../../../packages/connections/src/custody/refresh-lease.ts');
    const { readTokenRow } = await import('../../../packages/connections/src/custody/token-row.ts');
    const row = await readTokenRow(database.current, connection?.connectionId ?? '');
    expect(row && (await takeRefreshLease(database.current, { ...row, status: 'connected' }))).toBeNull();
  });
});

/** Turns the fake provider's rejection of tokens that it never issued into a rotation. */
function refreshed<T extends { status: number }>(response: T): T {
  const tokens = { access_token: 'the-new-token', refresh_token: 'the-new-refresh', expires_in: 3600, user_id: 'x', token_type: 'Bearer' };
  return { ...response, status: 200, body: tokens, bytes: Buffer.from(JSON.stringify(tokens)) };
}

describe('bulk_export', () => {
  const read = (body: object) => caller.call('POST', '/v2/link/bulk_export', { provider: 'fitbit', ...body });

  it('returns what was imported, in a form that can be imported again', async () => {
    const [userId = ''] = await imported(1);
    const [forever = ''] = await imported(1, 'fitbit', () => ({ expires_at: 2_147_483_647, refresh_token: '' }));
    const reply = await read({});
    expect(reply.headers['cache-control']).toBe('no-store');
    expect(reply.body.data).toHaveLength(2);
    expect(reply.body.data).toEqual(
      expect.arrayContaining([recipe(userId), recipe(forever, { expires_at: 2_147_483_647, refresh_token: '' })]),
    );
    expect((await caller.call('POST', '/v2/link/bulk_import', { provider: 'fitbit', connections: reply.body.data })).status).toBe(202);
  });

  it('returns every connection once across pages', async () => {
    const users = await imported(501);
    const first = await read({});
    const second = await read({ next_token: first.body.next_token });
    expect([first.body.data.length, second.body.data.length, second.body.next_token]).toEqual([500, 1, null]);
    const found = [...first.body.data, ...second.body.data].map((one: { user_id: string }) => one.user_id);
    expect(found).toEqual([...users].sort());
  });

  it('returns only the given users, and no users of another team', async () => {
    const [mine = ''] = await imported(2);
    expect((await read({ user_ids: [mine, randomUUID()] })).body.data.map((one: { user_id: string }) => one.user_id)).toEqual([mine]);
    const stranger = await harness.enabledCaller();
    const reply = await stranger.call('POST', '/v2/link/bulk_export', { provider: 'fitbit', user_ids: [mine] });
    const leftOut = { platform_application: 0, in_error: 0, not_connected: 1 };
    expect(reply.body).toEqual({ data: [], next_token: null, left_out: leftOut });
  });

  it("omits and counts connections of the platform's application and those in error", async () => {
    const [platform = '', ended = ''] = await imported(2);
    await database.current.sql`UPDATE connections SET application = 'platform' WHERE user_id = ${platform}`;
    await database.current.sql`UPDATE connections SET status = 'error' WHERE user_id = ${ended}`;
    expect((await read({})).body.data).toEqual([]);
    expect((await read({})).body.left_out).toMatchObject({ platform_application: 1, not_connected: 0 });
    const requested = await read({ user_ids: [platform, ended, randomUUID()] });
    expect(requested.body).toEqual({ data: [], next_token: null, left_out: { platform_application: 1, in_error: 1, not_connected: 1 } });
  });

  it('responds with 422 to an invalid token, or one of another query', async () => {
    await imported(501);
    const { next_token: token } = (await read({})).body;
    for (const body of [{ next_token: 'nonsense' }, { next_token: token, user_ids: [randomUUID()] }]) {
      const reply = await read(body);
      expect([reply.status, reply.body.detail[0].loc]).toEqual([422, ['body', 'next_token']]);
    }
  });

  it("responds with 400 without the team's own application", async () => {
    await database.current.sql`DELETE FROM team_oauth_credentials WHERE team_id = ${teamId}`;
    expect((await read({})).status).toBe(400);
  });
});

describe('an import that is aborted', () => {
  it('keeps what was imported, imports nothing more, and deletes the pending tokens', async () => {
    const users = await harness.newUsers(caller, 2);
    const reply = await caller.call('POST', '/v2/link/bulk_import', {
      provider: 'fitbit',
      connections: users.map((userId) => recipe(userId)),
    });
    const operationId = String(reply.headers['x-bulk-operation-id']);
    await abortOperation({ database: database.current, clock: harness.imports.clock }, operationId);
    await harness.work();
    expect((await operations()).data[0]).toMatchObject({ status: 'aborted', pending: 2, processed: 0 });
    expect(await statusOf(users[0] ?? '')).toBeUndefined();
    expect(
      await database.current.sql`SELECT 1 FROM bulk_items WHERE operation_id = ${operationId} AND access_token IS NOT NULL`,
    ).toHaveLength(0);
  });
});

describe('the list of bulk operations', () => {
  it('is newest first, in pages, and shows only the caller’s team', async () => {
    for (const count of [1, 2, 3]) {
      harness.api.clock.advance(1000);
      await caller.call('POST', '/v2/link/bulk_import', {
        provider: 'fitbit',
        connections: (await harness.newUsers(caller, count)).map((id) => recipe(id)),
      });
    }
    const first = await operations('?page_size=2');
    expect(first.data.map(({ pending }: { pending: number }) => pending)).toEqual([3, 2]);
    const second = await operations(`?page_size=2&next_cursor=${first.next_cursor}`);
    expect([second.data.map(({ pending }: { pending: number }) => pending), second.next_cursor]).toEqual([[1], null]);
    const stranger = await harness.enabledCaller();
    expect((await stranger.call('GET', '/v2/link/bulk_op')).body).toEqual({ data: [], next_cursor: null });
  });

  it.each(['next_cursor=nonsense', 'page_size=51', 'page_size=-1'])('responds with 422 to %s', async (query) => {
    expect((await caller.call('GET', `/v2/link/bulk_op?${query}`)).status).toBe(422);
  });

  it('has an empty page at size 0; items of another team’s operation are a 404', async () => {
    const [userId = ''] = await harness.newUsers(caller, 1);
    const reply = await caller.call('POST', '/v2/link/bulk_import', { provider: 'fitbit', connections: [recipe(userId)] });
    expect(await operations('?page_size=0')).toEqual({ data: [], next_cursor: null });
    const path = `/v2/link/bulk_op/${String(reply.headers['x-bulk-operation-id'])}/item`;
    const stranger = await harness.enabledCaller();
    expect([(await caller.call('GET', path)).status, (await stranger.call('GET', path)).status]).toEqual([200, 404]);
  });
});

describe('the erasure of a user', () => {
  it('deletes the user’s items of bulk operations', async () => {
    const { sql } = database.current;
    const [userId = ''] = await imported(1);
    const items = () => sql`SELECT 1 FROM bulk_items WHERE user_id = ${userId}`;
    expect(await items()).toHaveLength(1);
    await sql`UPDATE users SET deleted_at = now() - interval '30 days' WHERE user_id = ${userId}`;
    expect(await database.current.transaction((tx) => eraseUser(tx, harness.imports.clock, userId))).toBe(true);
    expect(await items()).toHaveLength(0);
  });
});

describe('a pause that an operator undoes', () => {
  it('resumes only connections that still have tokens, and restarts their plans', async () => {
    const { sql } = database.current;
    const [paused = '', ended = ''] = await imported(2);
    await caller.call('POST', '/v2/link/bulk_pause', { provider: 'fitbit', user_ids: [paused, ended] });
    await sql`DELETE FROM connection_tokens WHERE connection_id IN (SELECT connection_id FROM connections WHERE user_id = ${ended})`;
    const resumed: string[] = [];
    const onResumed = async (_tx: unknown, ids: readonly string[]) => void resumed.push(...ids);
    expect(await resumeConnections({ database: database.current, clock: harness.imports.clock, onResumed }, teamId, 'fitbit')).toBe(1);
    expect([await statusOf(paused), await statusOf(ended), resumed.length]).toEqual(['connected', 'paused', 1]);
  });
});

describe('maintenance', () => {
  it('requests a worker for stalled imports, and deletes interrupted uploads with their tokens', async () => {
    const { sql } = database.current;
    const [userId = ''] = await harness.newUsers(caller, 1);
    const reply = await caller.call('POST', '/v2/link/bulk_import', { provider: 'fitbit', connections: [recipe(userId)] });
    const operationId = String(reply.headers['x-bulk-operation-id']);
    harness.asked.length = 0;
    await maintainBulkOperations(harness.imports);
    expect(harness.asked).not.toContain(operationId);
    await sql`UPDATE bulk_operations SET moved_at = now() - interval '1 minute' WHERE operation_id = ${operationId}`;
    await maintainBulkOperations(harness.imports);
    expect(harness.asked).toContain(operationId);
    await sql`UPDATE bulk_operations SET status = 'receiving', moved_at = now() - interval '1 hour' WHERE operation_id = ${operationId}`;
    await maintainBulkOperations(harness.imports);
    expect(await sql`SELECT 1 FROM bulk_items WHERE operation_id = ${operationId}`).toHaveLength(0);
  });
});
