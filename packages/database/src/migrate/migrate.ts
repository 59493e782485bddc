import { sleep } from '@pulsewire/kernel';
import { advisoryLocks } from '../advisory-locks.ts';
import { openDatabase, type Database, type Executor } from '../client.ts';
import { assertMayMigrate, pendingMigrations } from './pending-migrations.ts';
import { readMigrations, type Migration } from './read-migrations.ts';
import { run } from '../run.ts';
import { schemaMigrations } from '../tables.ts';

// Marks a migration that Postgres refuses in a transaction, such as CREATE INDEX CONCURRENTLY.
const outsideMark = /^-- Outside a transaction\.$/m;
const lockPollMs = 200;

/**
 * Brings the schema up to date, on a connection of its own without a time limit. Each migration runs in a transaction; one with the line
 * `-- Outside a transaction.` runs statement by statement and is run again from the start after a failure, so write it to be repeatable.
 * Safe when several processes start at once: one applies the migrations, and the others find them applied. Returns the names of the
 * migrations it applied; when nothing is missing it only reads. Throws AppError `migration_changed` when an applied file was edited later,
 * `migrations_pending` when something is missing and this role may not change the schema, and `role_not_granted`.
 */
export async function migrate({ url }: Pick<Database, 'url'>, folder?: string): Promise<readonly string[]> {
  const migrations = await readMigrations(folder);
  const database = openDatabase({ url, connectionsMax: 2, name: 'pulsewire-migrate', statementTimeoutMs: null });
  try {
    // Most starts return here, and a role that may not change the schema never gets further.
    const pending = await pendingMigrations(database, migrations);
    if (pending.length === 0) return [];
    await assertMayMigrate(database, pending);
    const session = await database.reserve();
    try {
      // Polled: a session that waited inside a statement would hold a snapshot that a concurrent index build waits for.
      while (!(await session<{ isOurs: boolean }[]>`SELECT pg_try_advisory_lock(${advisoryLocks.migration}) AS "isOurs"`)[0]?.isOurs)
        await sleep(lockPollMs);
      return await applyAll(database, migrations);
    } finally {
      await session`SELECT pg_advisory_unlock_all()`.catch(() => {});
      session.release();
    }
  } finally {
    await database.close();
  }
}

async function applyAll(database: Database, migrations: readonly Migration[]): Promise<readonly string[]> {
  await database.sql`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      number integer PRIMARY KEY, name text NOT NULL, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now()
    )`;
  const applied: string[] = [];
  for (const migration of await pendingMigrations(database, migrations)) {
    if (outsideMark.test(migration.sql)) await applyOutside(database, migration);
    else
      await database.transaction(async (tx) => {
        await tx.sql.unsafe(migration.sql);
        await recordMigration(tx, migration);
      });
    applied.push(migration.name);
  }
  return applied;
}

async function recordMigration({ orm }: Executor, { number, name, hash }: Migration): Promise<void> {
  await run(orm.insert(schemaMigrations).values({ number, name, hash }));
}

/** Runs each statement separately, because several in one message would form a transaction. Statements must end at the end of a line. */
async function applyOutside(database: Database, migration: Migration): Promise<void> {
  // Invalid indexes that failed concurrent builds left behind: they block the next build and only cost writes.
  const broken = await database.sql<{ name: string }[]>`
    SELECT c.oid::regclass::text AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE NOT i.indisvalid AND c.relkind = 'i' AND c.relnamespace = current_schema()::regnamespace
      AND position(c.relname IN ${migration.sql}) > 0`;
  for (const { name } of broken) await database.sql.unsafe(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  for (const statement of migration.sql.split(/;\s*$/m)) {
    if (statement.replaceAll(/^\s*--.*$/gm, '').trim() !== '') await database.sql.unsafe(statement);
  }
  await recordMigration(database, migration);
}
