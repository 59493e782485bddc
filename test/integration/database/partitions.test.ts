import { expect, test } from 'vitest';
import { dropDailyPartitions, ensureDailyPartitions } from '@pulsewire/database';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();

async function partitionsOf(table: string): Promise<readonly string[]> {
  const rows = await database.current.sql<{ name: string }[]>`
    SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = ${table}::regclass AND c.relname NOT LIKE '%_default' ORDER BY 1`;
  return rows.map(({ name }) => name);
}

async function createTable(name: string): Promise<void> {
  await database.current.sql.unsafe(`CREATE TABLE ${name} (day date NOT NULL) PARTITION BY RANGE (day)`);
  await database.current.sql.unsafe(`CREATE TABLE ${name}_default PARTITION OF ${name} DEFAULT`);
  await ensureDailyPartitions(database.current, name, { from: '2026-01-01', days: 3 });
}

test('names a partition that another transaction locks, and drops the others', async () => {
  await createTable('held');
  await database.current.transaction(async ({ sql }) => {
    await sql`LOCK TABLE ONLY held_20260101 IN ACCESS SHARE MODE`;
    await expect(dropDailyPartitions(database.current, 'held', '2026-01-03')).rejects.toMatchObject({
      code: 'partitions_locked',
      details: { partitions: ['held_20260101'] },
    });
  });
  expect(await partitionsOf('held')).toEqual(['held_20260101', 'held_20260103']);
  expect(await dropDailyPartitions(database.current, 'held', '2026-01-03')).toEqual(['held_20260101']);
});

test('waits for a lock that is released before the retries end', async () => {
  await createTable('busy');
  let dropped: Promise<readonly string[]> | undefined;
  await database.current.transaction(async ({ sql }) => {
    await sql`LOCK TABLE ONLY busy_20260101 IN ACCESS SHARE MODE`;
    dropped = dropDailyPartitions(database.current, 'busy', '2026-01-02');
    dropped.catch(() => {});
    // Waits until the first try has given up and the second one waits; the server checks it, so that a slow test does not miss it.
    await sql.unsafe(`
      DO $$ DECLARE first timestamptz; since timestamptz;
      BEGIN
        FOR look IN 1..6000 LOOP
          SELECT waitstart INTO since FROM pg_locks WHERE NOT granted AND relation = 'busy_20260101'::regclass;
          EXIT WHEN since <> first;
          first := coalesce(first, since);
          PERFORM pg_sleep(0.01);
        END LOOP;
      END $$`);
  });
  expect(await dropped).toEqual(['busy_20260101']);
});
