import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import postgres from 'postgres';
import { advisoryLocks } from '../advisory-locks.ts';
import { openDatabase, type Database } from '../client.ts';
import { startEmbeddedServer } from '../embedded/server.ts';
import { migrate } from '../migrate/migrate.ts';

/** A real Postgres server for tests and benchmarks, with a migrated template database to clone. */
export interface TestServer {
  readonly adminUrl: string;
  readonly template: string;
  /** Major version, for output and expectations of tests. */
  readonly majorVersion: number;
  stop(): Promise<void>;
}

// Test data need not survive a power cut, disks of build machines are slow, and the data may be in memory.
const forgetfulSettings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '1GB', max_connections: '300' };

/**
 * Starts the embedded server, or uses the one in `url`, and creates the template. `durable` keeps fsync on, for benchmarks and fault runs
 * whose figures depend on it.
 */
export async function startTestServer(
  options: {
    readonly url?: string | undefined;
    readonly durable?: boolean;
    /** Adds to the template what other packages migrate. */
    readonly prepare?: (database: Database) => Promise<void>;
  } = {},
): Promise<TestServer> {
  const folder = options.url ? null : await mkdtemp(path.join(os.tmpdir(), 'pulsewire-test-'));
  const server = folder
    ? await startEmbeddedServer({
        dataDir: await openFolder(folder),
        settings: options.durable ? { max_connections: '300' } : forgetfulSettings,
      })
    : null;
  const adminUrl = options.url ?? (await server?.databaseUrl('postgres')) ?? '';
  const template = `pulsewire_template_${randomBytes(4).toString('hex')}`;
  const url = await createDatabase(adminUrl, template);
  const database = openDatabase({ url, connectionsMax: 2 });
  await migrate(database);
  await options.prepare?.(database);
  const [version] = await database.sql<{ number: string }[]>`SELECT current_setting('server_version_num') AS number`;
  await database.close();
  return {
    adminUrl,
    template,
    majorVersion: Math.floor(Number(version?.number) / 10_000),
    async stop() {
      if (!server || !folder) return dropDatabases(adminUrl, template);
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

// mkdtemp creates 0700 folders, which the server's own user cannot enter.
async function openFolder(folder: string): Promise<string> {
  const { chmod } = await import('node:fs/promises');
  await chmod(folder, 0o755);
  return folder;
}

async function asAdmin<T>(adminUrl: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

/** Creates a database, as a copy of `template` when one is named, and returns its URL. */
export async function createDatabase(adminUrl: string, name: string, template?: string): Promise<string> {
  // The template has several hundred relations: copying its files takes a fifth of the time of copying them through the WAL.
  const source = template === undefined ? '' : ` TEMPLATE "${template}" STRATEGY file_copy`;
  await asAdmin(adminUrl, (sql) => sql.unsafe(`CREATE DATABASE "${name}"${source}`));
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

export async function dropDatabase(adminUrl: string, name: string): Promise<void> {
  await asAdmin(adminUrl, (sql) => sql.unsafe(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`));
}

/** Drops the template and those that were made of it. */
async function dropDatabases(adminUrl: string, template: string): Promise<void> {
  const found = await asAdmin(
    adminUrl,
    (sql) => sql<{ datname: string }[]>`SELECT datname FROM pg_database WHERE starts_with(datname, ${template})`,
  );
  for (const { datname } of found) await dropDatabase(adminUrl, datname);
}

/**
 * The name of a template that extends `template` with what `fill` writes. The first caller of a run fills it, others wait; processes may
 * call it at once.
 */
export async function extendTemplate(
  adminUrl: string,
  template: string,
  part: string,
  fill: (url: string) => Promise<void>,
): Promise<string> {
  const name = `${template}_${part}`;
  await asAdmin(adminUrl, async (sql) => {
    await sql`SELECT pg_advisory_lock(hashtextextended(${name}, ${advisoryLocks.named}))`;
    const found = await sql`SELECT 1 FROM pg_database WHERE datname = ${name}`;
    if (found.length > 0) return;
    // Under another name until it is complete, so that a failure leaves nothing half filled.
    await dropDatabase(adminUrl, `${name}_new`);
    await fill(await createDatabase(adminUrl, `${name}_new`, template));
    await sql.unsafe(`ALTER DATABASE "${name}_new" RENAME TO "${name}"`);
  });
  return name;
}
export { createLeaseTasks, leaseTasks, taskRotation } from './lease-tasks.ts';
