import { readFile } from 'node:fs/promises';
import path from 'node:path';
import postgres from 'postgres';
import { sleep } from '@pulsewire/kernel';
import { ownServerOptions } from '../driver-options.ts';
import { clusterUser, type Cluster } from './cluster.ts';

/** A server that runs on a cluster, found by its lock file. */
export interface RunningServer {
  readonly pid: number;
  readonly port: number;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export function serverUrl(cluster: Cluster, port: number, name = 'postgres'): string {
  return `postgres://${clusterUser}:${cluster.password}@127.0.0.1:${port}/${name}`;
}

/** Whether the server on this port accepts queries and runs on this cluster. */
export async function isServing(cluster: Cluster, port: number): Promise<boolean> {
  const url = serverUrl(cluster, port);
  const sql = postgres({ ...ownServerOptions(url), connect_timeout: 2, onnotice: () => {} });
  try {
    const [row] = await sql<{ folder: string }[]>`SELECT current_setting('data_directory') AS folder`;
    return row?.folder === cluster.folder;
  } catch {
    return false;
  } finally {
    await sql.end({ timeout: 1 }).catch(() => {});
  }
}

/** The server left running on this cluster by an earlier start, if it is healthy. */
export async function findRunning(cluster: Cluster): Promise<RunningServer | null> {
  const text = await readFile(path.join(cluster.folder, 'postmaster.pid'), 'utf8').catch(() => null);
  const lines = text?.split('\n') ?? [];
  const pid = Number(lines[0]);
  const port = Number(lines[3]);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return null;
  // After a crash it may still be recovering; an unrelated process with the same pid never responds.
  for (let attempt = 0; attempt < 20 && isAlive(pid); attempt++) {
    if (await isServing(cluster, port)) return { pid, port };
    await sleep(100);
  }
  return null;
}

/** Asks the server to stop in fast mode: it ends open sessions, writes what is in memory, and ends. */
export function requestStop(pid: number): void {
  try {
    process.kill(pid, 'SIGINT');
  } catch {
    // It has just ended.
  }
}

/** Stops the server in fast mode (open sessions are ended); after 20 s in immediate mode. */
export async function stopServer(pid: number): Promise<void> {
  if (!isAlive(pid)) return;
  requestStop(pid);
  for (let waitedMs = 0; isAlive(pid) && waitedMs < 30_000; waitedMs += 20) {
    if (waitedMs === 20_000) process.kill(pid, 'SIGQUIT');
    await sleep(20);
  }
}
