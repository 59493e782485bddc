import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { chown, readFile, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { AppError, sleep } from '@pulsewire/kernel';
import postgres from 'postgres';
import { ownServerOptions } from '../driver-options.ts';
import { findBinaries, type Binaries } from './binaries.ts';
import { ensureCluster, type Cluster } from './cluster.ts';
import { assertNotCopied } from './copied-cluster.ts';
import { chooseIdentity, type ServerIdentity } from './identity.ts';
import { isAlive, requestStop, isServing, findRunning, serverUrl, stopServer } from './running.ts';

const pids = new Set<number>();
let isListening = false;

function endAll(): void {
  for (const pid of pids) {
    if (!isAlive(pid)) continue;
    requestStop(pid);
    process.stderr.write(`The embedded Postgres (process ${pid}) was told to stop. Copy its folder only once that process has ended.\n`);
  }
}

/**
 * Makes a server end when this process does: it has a session of its own, so it would outlive a process that ends without stopping it, by
 * force or after a failed start. Returns the function that revokes this.
 */
function endWithProcess(pid: number): () => void {
  if (!isListening) process.on('exit', endAll);
  isListening = true;
  pids.add(pid);
  return () => void pids.delete(pid);
}

export interface EmbeddedServerOptions {
  /** Folder for the cluster, its password and its log; created when missing. */
  readonly dataDir: string;
  /** Server settings over the defaults, as for `postgres -c`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Port to listen on; absent: a free one. */
  readonly port?: number;
  /** The server belongs to another process, so it goes on when this one ends; default: false. */
  readonly isShared?: boolean;
  /** Receives messages for people: which user the server runs as, that a running server was taken over. */
  readonly onNotice?: (text: string) => void;
}

/** The embedded Postgres, from the binaries that npm installed. */
export interface EmbeddedServer {
  readonly pid: number;
  readonly port: number;
  /** Where the cluster is; not always below the data folder (see the README's pitfalls). */
  readonly folder: string;
  /** False once the server process is gone. */
  isRunning(): boolean;
  /** True when a server left by an earlier start was taken over. */
  readonly isAdopted: boolean;
  /** Address of a database, which is created when it is missing. */
  databaseUrl(name: string): Promise<string>;
  stop(): Promise<void>;
}

const defaultSettings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '120',
  shared_buffers: '256MB',
  max_wal_size: '4GB',
  wal_compression: 'on',
  checkpoint_timeout: '15min',
  jit: 'off',
};

/**
 * Starts the server on `dataDir`, or takes over the one that a killed start left there.
 * It gets its own session, so that Ctrl-C reaches us first and we stop it after draining.
 * Throws AppError `embedded_*` with what to do.
 */
export async function startEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const dataDir = path.resolve(options.dataDir);
  const { onNotice: notice = () => {}, isShared = false } = options;
  const identity = await chooseIdentity();
  if (identity) notice(`Running as root, so the embedded Postgres runs as user "${identity.name}".`);
  const binaries = await findBinaries(identity);
  const cluster = await ensureCluster(dataDir, binaries, identity);
  await assertNotCopied(cluster.folder);
  const running = await findRunning(cluster);
  if (running) {
    notice('Found the embedded Postgres of an earlier start still running; using it.');
    return describe(cluster, { ...running, isAdopted: true, isShared, notice });
  }
  for (let attempt = 1; ; attempt++) {
    const port = options.port ?? (await freePort());
    const outcome = await launch({ cluster, binaries, identity, port, dataDir, settings: { ...defaultSettings, ...options.settings } });
    if (outcome.ok) return describe(cluster, { pid: outcome.pid, port, isAdopted: false, isShared, notice });
    // Child processes of a killed server may hold its memory for a moment; another program may have taken the port.
    const isTransient = /shared memory|Address already in use|lock file/.test(outcome.log);
    if (!isTransient || attempt === 20) {
      throw new AppError({
        code: 'embedded_start_failed',
        kind: 'unavailable',
        message: `The embedded Postgres did not start:\n${outcome.log.trim().slice(-2000)}`,
      });
    }
    await sleep(250);
  }
}

interface Launch {
  readonly cluster: Cluster;
  readonly binaries: Binaries;
  readonly identity: ServerIdentity | null;
  readonly port: number;
  readonly dataDir: string;
  readonly settings: Readonly<Record<string, string>>;
}

async function launch(options: Launch): Promise<{ ok: true; pid: number } | { ok: false; log: string }> {
  const { cluster, identity, port } = options;
  const logFile = path.join(options.dataDir, 'postgres.log');
  // Append mode: child processes of a killed server still have the file open, and their output must not overwrite that of this server.
  await writeFile(logFile, '', { mode: 0o600 });
  const log = openSync(logFile, 'a', 0o600);
  if (identity) await chown(logFile, identity.uid, identity.gid);
  // Terse: the details of errors contain values, which may be personal.
  const flags = Object.entries({ log_error_verbosity: 'terse', ...options.settings, port: String(port) }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  const child = spawn(options.binaries.postgres, ['-D', cluster.folder, ...flags], {
    stdio: ['ignore', log, log],
    detached: true,
    cwd: '/',
    ...(identity && { uid: identity.uid, gid: identity.gid }),
  });
  closeSync(log);
  const failure = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', () => resolve(''));
  });
  child.unref();
  for (let waitedMs = 0; waitedMs < 120_000; waitedMs += 25) {
    const ended = await Promise.race([failure, sleep(25).then(() => null)]);
    if (ended !== null) return { ok: false, log: ended + (await readFile(logFile, 'utf8').catch(() => '')).slice(-64_000) };
    if (child.pid && (await isServing(cluster, port))) return { ok: true, pid: child.pid };
  }
  // Nobody else would end it.
  if (child.pid) await stopServer(child.pid);
  return { ok: false, log: 'no response within two minutes' };
}

interface Found {
  readonly pid: number;
  readonly port: number;
  readonly isAdopted: boolean;
  readonly isShared: boolean;
  notice(text: string): void;
}

function describe(cluster: Cluster, { pid, port, isAdopted, isShared, notice }: Found): EmbeddedServer {
  const release = isShared ? () => {} : endWithProcess(pid);
  return {
    pid,
    port,
    folder: cluster.folder,
    isAdopted,
    isRunning: () => isAlive(pid),
    async databaseUrl(name) {
      const url = serverUrl(cluster, port);
      const sql = postgres({ ...ownServerOptions(url), onnotice: () => {} });
      try {
        const [row] = await sql`SELECT 1 FROM pg_database WHERE datname = ${name}`;
        if (!row) await sql.unsafe(`CREATE DATABASE "${name.replaceAll('"', '""')}"`);
      } finally {
        await sql.end();
      }
      return serverUrl(cluster, port, name);
    },
    async stop() {
      if (isAlive(pid)) await stopServer(pid);
      release();
      if (isAlive(pid)) notice(`The embedded Postgres did not stop: process ${pid} still runs. Stop it before you copy its folder.`);
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
