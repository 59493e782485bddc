import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, inject, it } from 'vitest';
import { systemClock } from '@pulsewire/kernel';
import { assertSchema, createCipher, migrate, openCipher, openDatabase, parseCipherKeys, type Database } from '@pulsewire/database';
import { createDatabase, dropDatabase } from '@pulsewire/database/testing';
import { runAdmin } from '../../../services/standalone/src/admin/run-admin.ts';

const open: { name: string; databases: Database[] }[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const { name, databases } of open.splice(0)) {
    await Promise.all(databases.map((database) => database.close()));
    await dropDatabase(inject('adminUrl'), name);
  }
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function newDatabase(template?: string): Promise<Database> {
  const name = `pulsewire_${randomBytes(6).toString('hex')}`;
  const url = await createDatabase(inject('adminUrl'), name, template);
  const database = openDatabase({ url, connectionsMax: 3 });
  open.push({ name, databases: [database] });
  return database;
}

async function folderWith(...texts: readonly string[]): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'migrations-'));
  folders.push(folder);
  for (const [index, text] of texts.entries()) await writeFile(path.join(folder, `000${index + 1}_part.sql`), text);
  return folder;
}

const appliedTo = async ({ sql }: Database) =>
  (await sql<{ number: number }[]>`SELECT number FROM schema_migrations ORDER BY number`).map(({ number }) => number);

async function admin(database: Database, words: readonly string[], encryptionKeys?: string) {
  const lines: string[] = [];
  const encryption = encryptionKeys === undefined ? undefined : { encryptionKeys };
  const context = { database, encryption, clock: systemClock, print: (line: string) => void lines.push(line) };
  return { code: await runAdmin(words, context as never), text: lines.join('\n') };
}

describe('a program on the database of a newer version', () => {
  const future = ({ sql }: Database) => sql`INSERT INTO schema_migrations (number, name, hash) VALUES (9999, '9999_future', 'x')`;

  it('does not start and names the migration that it does not know', async () => {
    const database = await newDatabase(inject('template'));
    await future(database);
    await expect(assertSchema(database)).rejects.toMatchObject({
      code: 'schema_newer',
      message: expect.stringContaining('migrated by a newer version (9999_future)'),
    });
  });

  it('does not migrate it either', async () => {
    const database = await newDatabase(inject('template'));
    await future(database);
    const { code, text } = await admin(database, ['migrate']);
    expect([code, text]).toEqual([1, expect.stringContaining('9999_future')]);
  });

  it('may work when every migration that it does not know allows older programs', async () => {
    const database = await newDatabase();
    const older = await folderWith('CREATE TABLE a ();', 'CREATE TABLE b ();');
    const newer = await folderWith('CREATE TABLE a ();', 'CREATE TABLE b ();', '-- Works with: 0002.\nCREATE TABLE c ();');
    const newest = await folderWith(
      'CREATE TABLE a ();',
      'CREATE TABLE b ();',
      '-- Works with: 0002.\nCREATE TABLE c ();',
      'DROP TABLE b;',
    );
    await migrate(database, { folder: newer });
    await expect(assertSchema(database, older)).resolves.toBeUndefined();
    await migrate(database, { folder: newest });
    await expect(assertSchema(database, older)).rejects.toMatchObject({ code: 'schema_newer', details: { migration: '0004_part' } });
  });
});

describe('a program on the database of an older version', () => {
  it('does not start, says how many migrations are pending and changes nothing', async () => {
    const database = await newDatabase();
    const [one, two] = [
      await folderWith('CREATE TABLE a ();'),
      await folderWith('CREATE TABLE a ();', 'CREATE TABLE b ();', 'CREATE TABLE c ();'),
    ];
    await migrate(database, { folder: one });
    await expect(assertSchema(database, two)).rejects.toMatchObject({
      code: 'migrations_pending',
      message: expect.stringMatching(/^2 migrations are pending \(0002_part to 0003_part\)\. Run `npm run admin -- migrate`/),
    });
    expect(await appliedTo(database)).toEqual([1]);
  });

  it('is migrated by no command other than migrate, whose dry run lists what would wait', async () => {
    const database = await newDatabase(inject('template'));
    await database.sql`DELETE FROM schema_migrations WHERE number > 50`;
    const { code, text } = await admin(database, ['migrate', '--dry-run']);
    expect(code).toBe(0);
    expect(text).toMatch(/^0051_/);
    expect(text).toMatch(/pull_plans: reads and writes wait/);
    expect(text).toMatch(/migrations are pending; nothing was changed\.$/);
    expect((await appliedTo(database)).at(-1)).toBe(50);
  });

  it('is not migrated with keys that do not belong to it', async () => {
    const database = await newDatabase(inject('template'));
    const keyText = (byte: number) => `1:${Buffer.alloc(32, byte).toString('base64')}`;
    await openCipher(database, keyText(1));
    await database.sql`DELETE FROM schema_migrations WHERE number > 75`;
    const { code, text } = await admin(database, ['migrate'], keyText(2));
    expect([code, text]).toEqual([1, expect.stringContaining('not the one that this database was encrypted with')]);
    expect((await appliedTo(database)).at(-1)).toBe(75);
    expect(createCipher(parseCipherKeys(keyText(1))).currentKeyId).toBe(1);
  });
});

describe('a migration that waits for a lock', () => {
  it('gives up before others queue behind it, names who holds the lock, and applies nothing', async () => {
    const database = await newDatabase();
    const folder = await folderWith('CREATE TABLE a ();', 'ALTER TABLE a ADD COLUMN x int;');
    await migrate(database, { folder: await folderWith('CREATE TABLE a ();') });
    const dump = await database.reserve();
    await dump.unsafe('BEGIN; LOCK TABLE a IN ACCESS SHARE MODE');
    try {
      await expect(migrate(database, { folder, lockAttempts: 1 })).rejects.toMatchObject({
        code: 'migration_blocked',
        message: expect.stringMatching(/0002_part does not get its locks.*process \d+ \(pulsewire\), in a transaction for/),
      });
      // Readers did not wait behind it.
      expect(await database.sql`SELECT count(*)::int AS rows FROM a`).toEqual([{ rows: 0 }]);
      expect(await appliedTo(database)).toEqual([1]);
    } finally {
      await dump.unsafe('ROLLBACK');
      dump.release();
    }
    expect(await migrate(database, { folder })).toEqual(['0002_part']);
  });
});
