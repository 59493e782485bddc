import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AppError } from '@pulsewire/kernel';
import type { Database } from './client.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  readonly hash: string;
}

/** Where the numbered SQL files are: beside the sources, or beside the bundle in production. */
const defaultFolder = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', 'migrations');

// Any constant will do, as long as every process of this schema uses the same one.
const migrationLock = 0x70756c73;

/** Reads the migrations in order. Throws AppError `migrations_invalid` when numbers repeat or leave a gap. */
export async function readMigrations(folder: string = defaultFolder): Promise<readonly Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file, index) => {
      const number = Number.parseInt(file, 10);
      if (number !== index + 1) {
        throw new AppError({
          code: 'migrations_invalid',
          kind: 'bug',
          message: 'Migration numbers must run 1, 2, 3 without a gap',
          details: { file },
        });
      }
      const sql = await readFile(path.join(folder, file), 'utf8');
      return { number, name: file.replace(/\.sql$/, ''), sql, hash: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}

/**
 * Brings the schema up to date, each migration in its own transaction. Safe when several processes start at once:
 * they queue on an advisory lock, and whoever comes second finds the work done.
 * Gives the names of the migrations it applied. Throws AppError `migration_changed` when an applied file was edited later.
 */
export async function migrate(database: Database, folder?: string): Promise<readonly string[]> {
  const migrations = await readMigrations(folder);
  const applied: string[] = [];
  await database.transaction(async ({ sql }) => {
    // IF NOT EXISTS still races in the catalogue (table, row type, index) when sessions create the same table at once.
    await sql`SELECT pg_advisory_xact_lock(${migrationLock})`;
    await sql`
      CREATE TABLE IF NOT EXISTS schema_migrations (
        number integer PRIMARY KEY, name text NOT NULL, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
      )`;
  });
  for (const migration of migrations) {
    const isNew = await database.transaction(async ({ sql }) => {
      await sql`SELECT pg_advisory_xact_lock(${migrationLock})`;
      const [done] = await sql<{ hash: string }[]>`SELECT hash FROM schema_migrations WHERE number = ${migration.number}`;
      if (done) {
        if (done.hash !== migration.hash) {
          throw new AppError({
            code: 'migration_changed',
            kind: 'bug',
            message: 'An applied migration was edited; add a new one instead',
            details: { name: migration.name },
          });
        }
        return false;
      }
      await sql.unsafe(migration.sql);
      await sql`INSERT INTO schema_migrations (number, name, hash) VALUES (${migration.number}, ${migration.name}, ${migration.hash})`;
      return true;
    });
    if (isNew) applied.push(migration.name);
  }
  return applied;
}
