import { execFile } from 'node:child_process';
import { appendFile, chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { openDatabase, startEmbeddedServer, type EmbeddedServer } from '@pulsewire/database';

const run = promisify(execFile);
const common = { fsync: 'off', shared_buffers: '32MB', max_wal_size: '256MB' };

/** A server that archives its WAL, and can be restored as a second server to a named point. */
export interface ArchivedServer {
  url(name: string): Promise<string>;
  /** Copies the cluster while it runs. */
  backUp(): Promise<void>;
  /** Creates a named restore point, and waits until everything before it is archived. */
  markPoint(name: string): Promise<void>;
  /** Starts a second server from the backup and the archive, restored to the point. Returns the address of a database. */
  restore(point: string, name: string): Promise<string>;
  stop(): Promise<void>;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await holds().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('the server did not get there within a minute');
}

export async function startArchivedServer(): Promise<ArchivedServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-archived-'));
  await chmod(folder, 0o755);
  const archive = path.join(folder, 'archive');
  const backup = path.join(folder, 'backup');
  const first = path.join(folder, 'first');
  const second = path.join(folder, 'second');
  await mkdir(archive);
  await chmod(archive, 0o777);
  const server = await startEmbeddedServer({
    dataDir: first,
    settings: { ...common, archive_mode: 'on', archive_command: `cp %p ${archive}/%f` },
  });
  const admin = openDatabase({ url: await server.databaseUrl('postgres'), connectionsMax: 1 });
  let restored: EmbeddedServer | null = null;
  return {
    url: (name) => server.databaseUrl(name),
    async backUp() {
      // Both calls on one session, as the server requires.
      const session = await admin.reserve();
      await session`SELECT pg_backup_start('test', true)`;
      await run('cp', ['-a', server.folder, backup]);
      const [row] = await session<{ labelfile: string }[]>`SELECT labelfile FROM pg_backup_stop()`;
      session.release();
      await rm(path.join(backup, 'postmaster.pid'));
      await run('find', [path.join(backup, 'pg_wal'), '-type', 'f', '-delete']);
      await writeFile(path.join(backup, 'backup_label'), row?.labelfile ?? '');
      await chmod(path.join(backup, 'backup_label'), 0o666);
    },
    async markPoint(name) {
      await admin.sql`SELECT pg_create_restore_point(${name})`;
      const [row] = await admin.sql<{ file: string }[]>`SELECT pg_walfile_name(pg_switch_wal()) AS file`;
      await until(async () => {
        const [at] = await admin.sql<{ file: string }[]>`SELECT last_archived_wal AS file FROM pg_stat_archiver`;
        return (at?.file ?? '') >= (row?.file ?? '~');
      });
    },
    async restore(point, name) {
      // A temporary cluster, created only to learn its folder.
      const made = await startEmbeddedServer({ dataDir: second, settings: common });
      await made.stop();
      await rm(made.folder, { recursive: true });
      await run('cp', ['-a', backup, made.folder]);
      await copyFile(path.join(first, 'postgres.password'), path.join(second, 'postgres.password'));
      await writeFile(path.join(made.folder, 'recovery.signal'), '');
      await chmod(path.join(made.folder, 'recovery.signal'), 0o666);
      await appendFile(
        path.join(made.folder, 'postgresql.auto.conf'),
        [`restore_command = 'cp ${archive}/%f %p'`, `recovery_target_name = '${point}'`, `recovery_target_action = 'promote'`, ''].join(
          '\n',
        ),
      );
      restored = await startEmbeddedServer({ dataDir: second, settings: common });
      const url = await restored.databaseUrl(name);
      const database = openDatabase({ url, connectionsMax: 1 });
      await until(async () => (await database.sql<{ is_over: boolean }[]>`SELECT NOT pg_is_in_recovery() AS is_over`)[0]?.is_over === true);
      await database.close();
      return url;
    },
    async stop() {
      await admin.close();
      await server.stop();
      await restored?.stop();
      for (const left of [server.folder, restored?.folder ?? second, folder]) await rm(left, { recursive: true, force: true });
    },
  };
}
