import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase, type Database } from '@pulsewire/database';
import { useDatabase } from '../../../support/database.ts';
import { apiConfig, createApiHarness, type ApiHarness, type Caller } from '../support/harness.ts';

const database = useDatabase();
let pool: Database;
let harness: ApiHarness;

beforeAll(async () => {
  pool = openDatabase({ url: database.current.url, connectionsMax: apiConfig.databaseConnectionsMax });
  harness = await createApiHarness(pool);
});
afterAll(async () => {
  await harness.close();
  await pool.close();
});

type Call = (caller: Caller) => Promise<{ readonly status: number }>;

const listUsers: Call = (caller) => caller.call('GET', '/v2/user');
const createUser: Call = (caller) => caller.call('POST', '/v2/user', { client_user_id: randomUUID() });
const listEndpoints: Call = (caller) => caller.call('GET', '/v2/team/webhook');
const createEndpoint: Call = (caller) => caller.call('POST', '/v2/team/webhook', { url: `https://example.com/${randomUUID()}` });

it.each([
  { kind: 'reads', slow: listUsers, quick: listEndpoints },
  { kind: 'writes', slow: createUser, quick: createEndpoint },
])('serves $kind of one team while slow $kind of another team wait for the database', async ({ slow, quick }) => {
  const [heavy, light] = [await harness.newCaller(), await harness.newCaller()];
  // The slow requests wait for this lock, so the test decides how long they take.
  const other = await database.current.reserve();
  await other`BEGIN`;
  await other`LOCK TABLE users IN ACCESS EXCLUSIVE MODE`;
  const pending = Array.from({ length: 4 * apiConfig.databaseConnectionsMax }, () => slow(heavy));
  const waiting = () => database.current.sql`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
  expect((await quick(light)).status).toBe(200);
  await other`ROLLBACK`;
  other.release();
  expect(new Set((await Promise.all(pending)).map(({ status }) => status))).toEqual(new Set([200]));
});
