import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '@pulsewire/database';
import { runImport } from '@pulsewire/connections';
import { startCommitCutter } from '../../support/commit-cutter.ts';
import { useDatabase } from '../../support/database.ts';
import { createBulkHarness, recipe, type BulkHarness } from './harness.ts';

const database = useDatabase();
let harness: BulkHarness;
beforeEach(async () => {
  harness = await createBulkHarness(database.current);
});
afterEach(() => harness.close());

const operations = () =>
  database.current
    .sql`SELECT status, processed, total, failures FROM bulk_operations WHERE type = 'link_bulk_import' ORDER BY started_at DESC LIMIT 1`;
const createdOf = (userIds: readonly string[]) =>
  database.current.sql<{ user_id: string }[]>`
    SELECT user_id FROM log_events WHERE event_type = 'provider.connection.created' AND user_id = ANY(${[...userIds]}::uuid[])`;

describe('an import', () => {
  it('fails only the recipes that Postgres rejects, and imports the others once', async () => {
    const caller = await harness.enabledCaller();
    const users = await harness.newUsers(caller, 5);
    const bad = users[2] ?? '';
    await database.current.sql.unsafe(`ALTER TABLE connections ADD CONSTRAINT refuses_one CHECK (user_id <> '${bad}')`);
    try {
      await caller.call('POST', '/v2/link/bulk_import', { provider: 'fitbit', connections: users.map((userId) => recipe(userId)) });
      await harness.work();
      expect(await operations()).toEqual([{ status: 'success', processed: 5, total: 5, failures: 0 }]);
      const items = await database.current.sql`
        SELECT user_id, outcome, reason FROM bulk_items WHERE user_id = ANY(${[...users]}::uuid[]) AND outcome <> 'imported'`;
      expect(items).toEqual([{ user_id: bad, outcome: 'failed', reason: 'sqlstate_23514' }]);
      const created = (await createdOf(users)).map(({ user_id: userId }) => userId);
      expect(created.toSorted()).toEqual(users.filter((userId) => userId !== bad).toSorted());
      expect(harness.planned.length).toBe(4);
    } finally {
      await database.current.sql`ALTER TABLE connections DROP CONSTRAINT refuses_one`;
    }
  });

  it('stores and counts every recipe once when responses to COMMIT are lost', async () => {
    const caller = await harness.enabledCaller();
    const users = await harness.newUsers(caller, 600);
    await caller.call('POST', '/v2/link/bulk_import', { provider: 'fitbit', connections: users.map((userId) => recipe(userId)) });
    const way = await startCommitCutter(database.url);
    const other = openDatabase({ url: way.url, name: 'importer', connectionsMax: 2 });
    way.loses = (number) => number % 2 === 1;
    const [operation] = await database.current.sql<{ operation_id: string }[]>`
      SELECT operation_id FROM bulk_operations WHERE status = 'in_progress' AND type = 'link_bulk_import'`;
    try {
      for (let runs = 0; runs < 20 && (await operations())[0]?.['status'] === 'in_progress'; runs++)
        await runImport({ ...harness.imports, database: other }, operation?.operation_id ?? '', new AbortController().signal).catch(
          () => {},
        );
      expect(way.lost).toBeGreaterThan(2);
      expect(await operations()).toEqual([expect.objectContaining({ status: 'success', processed: 600, total: 600 })]);
      expect(await createdOf(users)).toHaveLength(600);
      const tokens = await database.current.sql`
        SELECT token_version FROM connection_tokens JOIN connections USING (connection_id) WHERE user_id = ANY(${[...users]}::uuid[]) AND token_version = 1`;
      expect(tokens).toHaveLength(600);
    } finally {
      await other.close();
      await way.close();
    }
  });
});
