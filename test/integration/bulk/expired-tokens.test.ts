import { afterEach, beforeEach, expect, it } from 'vitest';
import { getAccessToken, listConnections, runImport } from '@pulsewire/connections';
import type { RefreshOutcome } from '@pulsewire/providers';
import { useDatabase } from '../../support/database.ts';
import type { Caller } from '../api/support/harness.ts';
import { createBulkHarness, recipe, workUntil, type BulkHarness } from './harness.ts';

const database = useDatabase();
let harness: BulkHarness;
let caller: Caller;
beforeEach(async () => {
  harness = await createBulkHarness(database.current);
  caller = await harness.enabledCaller();
});
afterEach(() => harness.close());

const refreshTokenOf = (userId: string) => `refresh-of-${userId}`;
const expired = (userId: string) => recipe(userId, { expires_at: 1 });

function renewed(userId: string): RefreshOutcome {
  const expiresAt = new Date(harness.api.clock.now().getTime() + 8 * 3_600_000);
  return {
    outcome: 'refreshed',
    tokens: {
      accessToken: `new-access-of-${userId}`,
      refreshToken: `new-refresh-of-${userId}`,
      expiresAt,
      scopes: null,
      providerUserId: null,
    },
  };
}

const importAll = (connections: readonly unknown[]) => {
  const body = { provider: 'fitbit', connections, wait_for_completion: true };
  return workUntil(caller.call('POST', '/v2/link/bulk_import', body), () => harness.work());
};
const itemsOf = (users: readonly string[]) =>
  database.current.sql`SELECT user_id, outcome, reason FROM bulk_items WHERE user_id = ANY(${[...users]}::uuid[]) ORDER BY item`;

it('reports a user whose expired token the provider refuses as failed, and makes no connection', async () => {
  const [refused = '', good = ''] = await harness.newUsers(caller, 2);
  harness.refreshes.set(refreshTokenOf(refused), { outcome: 'revoked' }).set(refreshTokenOf(good), renewed(good));
  const reply = await importAll([expired(refused), expired(good)]);
  expect([reply.status, reply.body]).toEqual([200, expect.objectContaining({ user_ids_imported: [good], user_ids_failed: [refused] })]);
  expect(await itemsOf([refused])).toEqual([{ user_id: refused, outcome: 'failed', reason: 'token_refused' }]);
  expect(await listConnections(database.current, caller.team.teamId, [refused])).toEqual([]);
  const events = await database.current.sql`SELECT user_id FROM log_events WHERE event_type = 'provider.connection.created'`;
  expect(events.map((event) => event['user_id'])).toEqual([good]);
});

it('stores the tokens that the check received, so that they are used instead of the spent ones', async () => {
  const [userId = ''] = await harness.newUsers(caller, 1);
  harness.refreshes.set(refreshTokenOf(userId), renewed(userId));
  await importAll([expired(userId)]);
  const [connection] = await listConnections(database.current, caller.team.teamId, [userId]);
  const custody = { ...harness.imports, platformApplication: () => null, gate: {} as never };
  expect((await getAccessToken(custody, connection?.connectionId ?? '')).accessToken).toBe(`new-access-of-${userId}`);
  expect(harness.refreshed).toEqual([refreshTokenOf(userId)]);
});

it('imports a user whose check is unclear, such as during an outage of the provider', async () => {
  const [userId = ''] = await harness.newUsers(caller, 1);
  const reply = await importAll([expired(userId)]);
  expect(reply.body).toMatchObject({ user_ids_imported: [userId], user_ids_failed: [] });
});

it('sends no token that is still valid, and none of a user who cannot be imported', async () => {
  const [valid = ''] = await harness.newUsers(caller, 1);
  const unknown = crypto.randomUUID();
  const reply = await importAll([recipe(valid), expired(unknown)]);
  expect(reply.body).toMatchObject({ user_ids_imported: [valid], user_ids_failed: [unknown] });
  expect(harness.refreshed).toEqual([]);
});

it('fails an expired token that nothing can renew', async () => {
  const [userId = ''] = await harness.newUsers(caller, 1);
  await importAll([recipe(userId, { expires_at: 1, refresh_token: '' })]);
  expect(await itemsOf([userId])).toEqual([{ user_id: userId, outcome: 'failed', reason: 'token_expired' }]);
});

it('sends each refresh token once, even with three concurrent workers', async () => {
  const users = await harness.newUsers(caller, 20);
  for (const userId of users) harness.refreshes.set(refreshTokenOf(userId), renewed(userId));
  const reply = await caller.call('POST', '/v2/link/bulk_import', { provider: 'fitbit', connections: users.map(expired) });
  const operationId = String(reply.headers['x-bulk-operation-id']);
  await Promise.all([1, 2, 3].map(() => runImport(harness.imports, operationId, new AbortController().signal)));
  await harness.work();
  expect(harness.refreshed.toSorted()).toEqual(users.map(refreshTokenOf).toSorted());
  expect(await itemsOf(users)).toEqual(users.map((userId) => ({ user_id: userId, outcome: 'imported', reason: null })));
});

it('waits for a check in another process instead of importing the spent token', async () => {
  const [userId = ''] = await harness.newUsers(caller, 1);
  const asked = Promise.withResolvers<RefreshOutcome>();
  harness.refreshes.set(refreshTokenOf(userId), asked.promise);
  const reply = await caller.call('POST', '/v2/link/bulk_import', { provider: 'fitbit', connections: [expired(userId)] });
  const operationId = String(reply.headers['x-bulk-operation-id']);
  const first = runImport(harness.imports, operationId, new AbortController().signal);
  await expect.poll(() => harness.refreshed).toHaveLength(1);
  await runImport(harness.imports, operationId, new AbortController().signal);
  expect(await itemsOf([userId])).toEqual([{ user_id: userId, outcome: null, reason: null }]);
  asked.resolve(renewed(userId));
  await first;
  expect(await itemsOf([userId])).toEqual([{ user_id: userId, outcome: 'imported', reason: null }]);
});
