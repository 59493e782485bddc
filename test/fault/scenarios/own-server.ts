import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startEmbeddedServer, type Database } from '@pulsewire/database';
import { openJudge } from './load.ts';

// The judge compares when a response was recorded with when the message was sent again.
const settings = { max_connections: '100', shared_buffers: '64MB', track_commit_timestamp: 'on' };

/** Runs `work` with a separate Postgres and the judge's connection to it. */
export async function withServer<T>(work: (url: string, judge: Database) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-scenario-'));
  await chmod(folder, 0o755);
  const server = await startEmbeddedServer({ dataDir: folder, settings });
  const url = await server.databaseUrl('faults');
  const judge = openJudge(url);
  try {
    return await work(url, judge);
  } finally {
    await judge.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(server.folder, { recursive: true, force: true });
  }
}
