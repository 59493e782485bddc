import { expect, test } from 'vitest';
import { openDatabase, snapshotHolders } from '@pulsewire/database';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();

test('lists a transaction that holds a snapshot with its process, application and age', async () => {
  const reader = openDatabase({ url: database.url, name: 'long-report', connectionsMax: 1 });
  try {
    await reader.transaction(async ({ sql }) => {
      await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`;
      const [own] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid, count(*) FROM log_shards`;
      await database.current.sql`UPDATE log_shards SET day = day WHERE shard = 1`;
      await database.current.sql`UPDATE log_shards SET day = day WHERE shard = 1`;
      const found = (await snapshotHolders(database.current, 1000)).find(({ name }) => name === 'long-report');
      expect(found).toMatchObject({ kind: 'idle_transaction', pid: own?.pid });
      expect(found?.ageTransactions).toBeGreaterThanOrEqual(2);
      expect(found?.ageSeconds).toBeGreaterThan(0);
    });
    expect((await snapshotHolders(database.current, 1000)).some(({ name }) => name === 'long-report')).toBe(false);
  } finally {
    await reader.close();
  }
});
