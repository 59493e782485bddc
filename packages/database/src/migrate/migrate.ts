import { AppError, errorCode, sleep } from '@pulsewire/kernel';
import { advisoryLocks } from '../advisory-locks.ts';
import { openDatabase, type Database, type Executor } from '../client.ts';
import { assertMayMigrate, pendingMigrations } from './pending-migrations.ts';
import { readMigrations, type Migration } from './read-migrations.ts';
import { run } from '../run.ts';
import { schemaMigrations } from '../tables.ts';

// Marks a migration that Postgres refuses in a transaction, such as CREATE INDEX CONCURRENTLY.
const outsideMark = /^-- Outside a transaction\.$/m;
const lockPollMs = 200;
/** A migration that waits for a lock keeps everybody else waiting behind it, so it gives up soon and tries again later. */
const lockTimeoutMs = 3000;
const lockAttemptsMax = 30;
const lockRetryMs = 2000;
const lockNotAvailable = '55P03';

export interface MigrateOptions {
  /** Default: the migrations of this release. */
  readonly folder?: string;
  /** Called after each migration. */
  readonly onApplied?: (name: string, durationMs: number) => void;
  /** Called when a migration has to wait for the locks of others, before each further attempt. */
  readonly onBlocked?: (name: string, holders: readonly string[]) => void;
  /** Attempts to get the locks of one migration; default 30, two seconds apart. */
  readonly lockAttempts?: number;
}

/**
 * Brings the schema up to date, on a connection of its own without a time limit. Each migration runs in a transaction; one with the line
 * `-- Outside a transaction.` runs statement by statement and is run again from the start after a failure, so write it to be repeatable.
 * Safe when several processes start at once: one applies the migrations, and the others find them applied. Returns the names of the
 * migrations it applied; when nothing is missing it only reads. Throws AppErrors `schema_newer`, `migration_changed`, `migration_blocked` when
 * somebody holds a lock for too long, `migrations_pending` when this role may not change the schema, and `role_not_granted`.
 */
export async function migrate({ url }: Pick<Database, 'url'>, options: MigrateOptions = {}): Promise<readonly string[]> {
  const migrations = await readMigrations(options.folder);
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
      return await applyAll(database, migrations, options);
    } finally {
      await session`SELECT pg_advisory_unlock_all()`.catch(() => {});
      session.release();
    }
  } finally {
    await database.close();
  }
}

async function applyAll(database: Database, migrations: readonly Migration[], options: MigrateOptions): Promise<readonly string[]> {
  await database.sql`
    CREATE TABLE IF NOT EXISTS schema_migrations (
      number integer PRIMARY KEY, name text NOT NULL, hash text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now(), lowest integer
    )`;
  // Only when it is missing: the statement would wait for every reader of the table, such as a running dump.
  const [column] = await database.sql`SELECT 1 FROM pg_attribute WHERE attrelid = 'schema_migrations'::regclass AND attname = 'lowest'`;
  if (column === undefined) await database.sql`ALTER TABLE schema_migrations ADD COLUMN lowest integer`;
  const applied: string[] = [];
  for (const migration of await pendingMigrations(database, migrations)) {
    const start = performance.now();
    if (outsideMark.test(migration.sql)) await applyOutside(database, migration);
    else await applyUnblocked(database, migration, options);
    options.onApplied?.(migration.name, performance.now() - start);
    applied.push(migration.name);
  }
  return applied;
}

async function applyUnblocked(database: Database, migration: Migration, options: MigrateOptions): Promise<void> {
  const { lockAttempts = lockAttemptsMax } = options;
  for (let attempt = 1; ; attempt++) {
    try {
      await database.transaction(async (tx) => {
        await tx.sql.unsafe(`SET LOCAL lock_timeout = ${lockTimeoutMs}`);
        await tx.sql.unsafe(migration.sql);
        await recordMigration(tx, migration);
      });
      return;
    } catch (cause) {
      if (errorCode(cause) !== lockNotAvailable) throw cause;
      const holders = await oldestTransactions(database);
      if (attempt >= lockAttempts)
        throw new AppError({
          code: 'migration_blocked',
          kind: 'unavailable',
          message: `${migration.name} does not get its locks, because other sessions keep theirs: ${holders.join('; ') || 'unknown'}. End them, or wait, and run the command again; nothing of it was applied`,
          cause,
        });
      options.onBlocked?.(migration.name, holders);
      await sleep(lockRetryMs);
    }
  }
}

/** The sessions whose transactions have been open longest: those that block, as far as the database tells. */
async function oldestTransactions({ sql }: Executor): Promise<readonly string[]> {
  const rows = await sql<{ text: string }[]>`
    SELECT format('process %s (%s), in a transaction for %s s', pid, coalesce(nullif(application_name, ''), usename, 'unknown'),
      extract(epoch FROM clock_timestamp() - xact_start)::int) AS text
    FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL ORDER BY xact_start LIMIT 3`;
  return rows.map(({ text }) => text);
}

async function recordMigration({ orm }: Executor, { number, name, hash, lowest }: Migration): Promise<void> {
  await run(orm.insert(schemaMigrations).values({ number, name, hash, lowest }));
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
