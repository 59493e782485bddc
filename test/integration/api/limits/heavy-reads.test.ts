import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase, type Database } from '@pulsewire/database';
import { useDatabase } from '../../../support/database.ts';
import { apiConfig, createApiHarness, type ApiHarness } from '../support/harness.ts';

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

it('serves reads of one team while slow reads of another team wait for the database', async () => {
  const [heavy, light] = [await harness.newCaller(), await harness.newCaller()];
  // Listing users waits for this lock, so the test decides how long those reads take.
  const other = await database.current.reserve();
  await other`BEGIN`;
  await other`LOCK TABLE users IN ACCESS EXCLUSIVE MODE`;
  const slow = Array.from({ length: 4 * apiConfig.databaseConnectionsMax }, () => heavy.call('GET', '/v2/user'));
  const waiting = () => database.current.sql`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
  await expect.poll(async () => (await waiting()).length).toBeGreaterThan(0);
  expect((await light.call('GET', '/v2/team/webhook')).status).toBe(200);
  await other`ROLLBACK`;
  other.release();
  expect(new Set((await Promise.all(slow)).map(({ status }) => status))).toEqual(new Set([200]));
});
