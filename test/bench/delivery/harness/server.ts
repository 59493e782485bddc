import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openDatabase, startEmbeddedServer, type Database } from '@pulsewire/database';
import { prepareDatabase } from '../../../support/test-server.ts';
import { maintainLog } from '@pulsewire/eventlog';
import { maintainAttempts } from '@pulsewire/webhooks';
import { workingRole } from './counters.ts';

/** A durable Postgres with a migrated database: fsync and checksums as a fresh install has them, and statements counted. */
export interface BenchServer {
  readonly pid: number;
  readonly describe: string;
  /** Address for the product's processes: their statements are counted. */
  readonly url: string;
  /** Address for observers: their statements are not counted. */
  readonly database: Database;
  close(): Promise<void>;
}

export async function startBenchServer(): Promise<BenchServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-bench-'));
  // The server's user cannot access a folder of mkdtemp.
  await chmod(folder, 0o755);
  const settings = { max_connections: '120', shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track': 'top' };
  const server = await startEmbeddedServer({ dataDir: folder, settings });
  const adminUrl = await server.databaseUrl('bench');
  const database = openDatabase({ url: adminUrl, name: 'bench-watch', connectionsMax: 4 });
  const password = randomBytes(12).toString('hex');
  await database.sql.unsafe(`CREATE EXTENSION pg_stat_statements; CREATE ROLE ${workingRole} SUPERUSER LOGIN PASSWORD '${password}'`);
  const url = new URL(adminUrl);
  url.username = workingRole;
  url.password = password;
  await prepareDatabase(database);
  const today = new Date().toISOString().slice(0, 10);
  await maintainLog(database, { today, keepDays: 30 });
  await maintainAttempts(database, { today, keepDays: 90 });
  const [version] = await database.sql<{ version: string }[]>`SHOW server_version`.then((rows) =>
    rows.map((row) => ({ version: Object.values(row)[0] ?? '' })),
  );
  return {
    pid: server.pid,
    describe: `Postgres ${version?.version}, fsync on`,
    url: url.toString(),
    database,
    async close() {
      await database.close();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
      await rm(server.folder, { recursive: true, force: true });
    },
  };
}
