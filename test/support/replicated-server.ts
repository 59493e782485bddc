import { execFile } from 'node:child_process';
import { appendFile, chmod, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { openDatabase, startEmbeddedServer } from '@pulsewire/database';

const run = promisify(execFile);
const settings = { fsync: 'off', shared_buffers: '32MB', max_wal_size: '256MB', hot_standby: 'on' };

/** A primary with a standby that streams from it, behind one address, as clients of a cluster with failover see it. */
export interface ReplicatedServer {
  /** Address of a database on whichever server is the primary. */
  url(name: string): string;
  /** Resolves when the standby has everything committed so far. */
  caughtUp(): Promise<void>;
  /** Stops replication: `failOver` loses whatever commits from now on. */
  cutReplication(): Promise<void>;
  /** Stops the primary, promotes the standby and routes all connections to it. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if (await holds().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('The servers did not reach the expected state within a minute');
}

async function copyCluster(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await run('cp', ['-a', from, to]);
}

/** Starts both servers; `create` prepares the primary before the copy is made. */
export async function startReplicatedServer(databases: readonly string[]): Promise<ReplicatedServer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-pair-'));
  await chmod(folder, 0o755);
  const folders = { primary: path.join(folder, 'primary'), standby: path.join(folder, 'standby') };
  let primary = await startEmbeddedServer({ dataDir: folders.primary, settings });
  for (const name of databases) await primary.databaseUrl(name);
  const { port } = primary;
  await primary.stop();
  // A temporary cluster, created only to learn its folder.
  let standby = await startEmbeddedServer({ dataDir: folders.standby, settings });
  await standby.stop();
  await copyCluster(primary.folder, standby.folder);
  await copyFile(path.join(folders.primary, 'postgres.password'), path.join(folders.standby, 'postgres.password'));
  primary = await startEmbeddedServer({ dataDir: folders.primary, settings, port });
  const primaryUrl = new URL(await primary.databaseUrl('postgres'));
  const source = `host=127.0.0.1 port=${port} user=${primaryUrl.username} password=${primaryUrl.password}`;
  await appendFile(path.join(standby.folder, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  await writeFile(path.join(standby.folder, 'standby.signal'), '');
  standby = await startEmbeddedServer({ dataDir: folders.standby, settings });
  const standbyUrl = `${await standby.databaseUrl('postgres')}?target_session_attrs=any`;
  const onPrimary = openDatabase({ url: primaryUrl.toString(), connectionsMax: 1 });
  const onStandby = openDatabase({ url: standbyUrl, connectionsMax: 1 });

  let targetPort = port;
  const sockets = new Set<net.Socket>();
  const proxy = net.createServer((client) => {
    const server = net.connect(targetPort, '127.0.0.1');
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const proxyPort = (proxy.address() as net.AddressInfo).port;

  return {
    url(name) {
      const url = new URL(primaryUrl);
      url.port = String(proxyPort);
      url.pathname = `/${name}`;
      return url.toString();
    },
    async caughtUp() {
      const [row] = await onPrimary.sql<{ lsn: string }[]>`SELECT pg_current_wal_lsn()::text AS lsn`;
      await until(async () => {
        const [at] = await onStandby.sql<
          { is_there: boolean }[]
        >`SELECT pg_last_wal_replay_lsn() >= ${row?.lsn ?? '0/0'}::pg_lsn AS is_there`;
        return at?.is_there === true;
      });
    },
    async cutReplication() {
      await onStandby.sql.unsafe(`ALTER SYSTEM SET primary_conninfo = ''`);
      await onStandby.sql`SELECT pg_reload_conf()`;
      await until(async () => (await onStandby.sql`SELECT FROM pg_stat_wal_receiver`).length === 0);
    },
    async failOver() {
      await onPrimary.close();
      await primary.stop();
      await onStandby.sql`SELECT pg_promote()`;
      targetPort = standby.port;
      for (const socket of sockets) socket.destroy();
    },
    async stop() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
      await onPrimary.close();
      await onStandby.close();
      await primary.stop();
      await standby.stop();
      await rm(primary.folder, { recursive: true, force: true });
      await rm(standby.folder, { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    },
  };
}
