import { execFile, spawn } from 'node:child_process';
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '@pulsewire/database';

const run = promisify(execFile);
const folders = '/usr/lib/postgresql';

/** Folder with server and client programs of one version, as distributions install them; null when there is none. */
export async function findPostgresPrograms(): Promise<string | null> {
  const versions = await readdir(folders).catch(() => []);
  for (const version of versions.toSorted((a, b) => Number(b) - Number(a))) {
    const folder = path.join(folders, version, 'bin');
    const found = await Promise.all(
      ['initdb', 'postgres', 'pg_dump', 'pg_restore'].map((name) => stat(path.join(folder, name)).catch(() => null)),
    );
    if (Number(version) >= 15 && found.every((info) => info !== null)) return folder;
  }
  return null;
}

export interface SystemPostgres {
  /** Address of a new, empty database. */
  create(name: string): Promise<string>;
  stop(): Promise<void>;
}

async function freePort(): Promise<number> {
  const probe = net.createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as net.AddressInfo;
  await new Promise<void>((resolve) => probe.close(() => resolve()));
  return port;
}

/** A new cluster of an installed Postgres. As root it runs as the user `postgres`. */
export async function startSystemPostgres(programs: string): Promise<SystemPostgres> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-system-'));
  await chmod(folder, 0o755);
  const line = process.getuid?.() === 0 ? /^postgres:[^:]*:(\d+):(\d+)/m.exec(await readFile('/etc/passwd', 'utf8')) : null;
  const identity = line ? { uid: Number(line[1]), gid: Number(line[2]) } : {};
  if (line) await chown(folder, Number(line[1]), Number(line[2]));
  const cluster = path.join(folder, 'cluster');
  await run(
    path.join(programs, 'initdb'),
    ['-D', cluster, '-U', 'pulsewire', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    {
      cwd: '/',
      ...identity,
    },
  );
  const port = await freePort();
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'shared_buffers=32MB'];
  const flags = ['-D', cluster, ...settings.flatMap((setting) => ['-c', setting])];
  const server = spawn(path.join(programs, 'postgres'), flags, { stdio: 'ignore', cwd: '/', ...identity });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const url = (name: string) => `postgres://pulsewire@127.0.0.1:${port}/${name}`;
  const admin = openDatabase({ url: url('postgres'), connectionsMax: 1 });
  for (let tries = 0; ; tries++) {
    const error: unknown = await admin.sql`SELECT 1`.then(() => null).catch((cause: unknown) => cause);
    if (error === null) break;
    if (tries === 300) throw new Error('the server did not start within half a minute', { cause: error });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    async create(name) {
      await admin.sql.unsafe(`CREATE DATABASE "${name}"`);
      return url(name);
    },
    async stop() {
      await admin.close();
      server.kill('SIGINT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
