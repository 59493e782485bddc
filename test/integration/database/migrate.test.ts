import { randomBytes } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { migrate, openDatabase, readMigrations, type Database } from '@pulsewire/database';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';

const open: { name: string; databases: Database[] }[] = [];

afterEach(async () => {
  for (const { name, databases } of open.splice(0)) {
    await Promise.all(databases.map((database) => database.close()));
    await dropDatabase(inject('adminUrl'), name);
  }
});

async function emptyDatabases(count: number): Promise<Database[]> {
  const name = `pulsewire_${randomBytes(6).toString('hex')}`;
  const url = await createDatabase(inject('adminUrl'), name);
  const databases = Array.from({ length: count }, () => openDatabase({ url, connectionsMax: 2 }));
  open.push({ name, databases });
  return databases;
}

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'migrations-'));
  for (const [file, text] of Object.entries(files)) await writeFile(path.join(folder, file), text);
  return folder;
}

describe('migrate', () => {
  test('applies each migration exactly once when several processes start at once', async () => {
    const databases = await emptyDatabases(6);
    const applied = await Promise.all(databases.map((database) => migrate(database)));
    expect(applied.flat().toSorted()).toEqual((await readMigrations()).map((migration) => migration.name));
    expect(await migrate(databases[0] as Database)).toEqual([]);
  });

  test('leaves nothing behind after a failed migration', async () => {
    const [database] = await emptyDatabases(1);
    const folder = await folderWith({ '0001_a.sql': 'CREATE TABLE a ();', '0002_b.sql': 'CREATE TABLE b (); SELECT 1 / 0;' });
    await expect(migrate(database as Database, { folder })).rejects.toThrow('division by zero');
    const rows = await (database as Database).sql`SELECT to_regclass('a') IS NOT NULL AS a, to_regclass('b') IS NOT NULL AS b`;
    expect(rows[0]).toEqual({ a: true, b: false });
  });

  test('rejects an applied file that was edited, and a gap in the numbers', async () => {
    const [database] = await emptyDatabases(1);
    await migrate(database as Database, { folder: await folderWith({ '0001_a.sql': 'CREATE TABLE a ();' }) });
    await expect(
      migrate(database as Database, { folder: await folderWith({ '0001_a.sql': 'CREATE TABLE a (x int);' }) }),
    ).rejects.toMatchObject({
      code: 'migration_changed',
    });
    await expect(migrate(database as Database, { folder: await folderWith({ '0001_a.sql': '', '0003_c.sql': '' }) })).rejects.toMatchObject(
      {
        code: 'migrations_invalid',
      },
    );
  });

  test('accepts an applied migration with a reworded comment, but no other change of its text', async () => {
    const [database] = (await emptyDatabases(1)) as [Database];
    await migrate(database);
    const before = 'fdf945ef39427e2123430a77cf5a4469e974a36623789b7cbed6c8347c358b27';
    await database.sql`UPDATE schema_migrations SET hash = ${before} WHERE number = 2`;
    expect(await migrate(database)).toEqual([]);
    await database.sql`UPDATE schema_migrations SET hash = ${before} WHERE number = 3`;
    await expect(migrate(database)).rejects.toMatchObject({ code: 'migration_changed', details: { name: '0003_connections' } });
  });

  test('repeats a concurrent index build that failed midway at the next start', async () => {
    const [database] = await emptyDatabases(1);
    const { sql } = database as Database;
    const outside =
      '-- Outside a transaction.\nCREATE INDEX CONCURRENTLY IF NOT EXISTS a_x ON a (x);\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS a_y ON a (y);\n';
    const folder = await folderWith({
      '0001_a.sql': 'CREATE TABLE a (x int, y int); INSERT INTO a VALUES (1, 1), (2, 1);',
      '0002_b.sql': outside,
    });
    await expect(migrate(database as Database, { folder })).rejects.toMatchObject({ code: '23505' });
    await sql`UPDATE a SET y = x`;
    expect(await migrate(database as Database, { folder })).toEqual(['0002_b']);
    expect(await sql`SELECT 1 FROM pg_index WHERE indrelid = 'a'::regclass AND indisvalid`).toHaveLength(2);
  });

  test('builds a concurrent index without a deadlock when several processes start at once', async () => {
    const databases = await emptyDatabases(4);
    const outside = '-- Outside a transaction.\nCREATE INDEX CONCURRENTLY IF NOT EXISTS a_x ON a (x);\n';
    const folder = await folderWith({ '0001_a.sql': 'CREATE TABLE a (x int);', '0002_b.sql': outside });
    const applied = await Promise.all(databases.map((database) => migrate(database, { folder })));
    expect(applied.flat().toSorted()).toEqual(['0001_a', '0002_b']);
  });
});

test("makes the server cancel a statement before the client's own deadline", async () => {
  const [database] = await emptyDatabases(1);
  const [row] = await (database as Database).sql<{ ms: number }[]>`
    SELECT setting::int AS ms FROM pg_settings WHERE name = 'statement_timeout'`;
  expect(row?.ms).toBeGreaterThan(0);
  expect(row?.ms).toBeLessThan(120_000);
  const short = openDatabase({ url: (database as Database).url, connectionsMax: 1, statementTimeoutMs: 50 });
  await expect(short.sql`SELECT pg_sleep(30)`).rejects.toMatchObject({ code: '57014' });
  await short.close();
});
