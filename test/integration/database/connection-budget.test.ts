import { openDatabase, openOrShare, readConnectionBudget } from '@pulsewire/database';
import { expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();

it('counts what other programs have open, and what the server leaves for roles without special rights', async () => {
  const own = openDatabase({ url: database.url, name: 'budget', connectionsMax: 2 });
  const other = openDatabase({ url: database.url, name: 'budget-other', connectionsMax: 2 });
  try {
    await Promise.all([other.sql`SELECT pg_sleep(0.01)`, other.sql`SELECT pg_sleep(0.01)`]);
    const [settings] = await own.sql<{ max: number; reserved: number }[]>`
      SELECT current_setting('max_connections')::int AS max, current_setting('superuser_reserved_connections')::int AS reserved`;
    const { limit, others } = await readConnectionBudget(own);
    expect(limit).toBe((settings?.max ?? 0) - (settings?.reserved ?? 0));
    expect(others).toBeGreaterThanOrEqual(2);
  } finally {
    await own.close();
    await other.close();
  }
});

it('a part of a process that shares a pool leaves it open when it closes', async () => {
  const shared = openOrShare(database.current, { url: database.url });
  await shared.close();
  expect(await database.current.sql`SELECT 1 AS one`).toEqual([{ one: 1 }]);
});
