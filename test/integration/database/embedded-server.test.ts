import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openDatabase, startEmbeddedServer, type EmbeddedServer } from '@pulsewire/database';

const started: { server: EmbeddedServer; folder: string }[] = [];

afterEach(async () => {
  for (const { server, folder } of started.splice(0)) {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
    await rm(server.folder, { recursive: true, force: true });
  }
});

async function start(folder: string): Promise<EmbeddedServer> {
  const server = await startEmbeddedServer({ dataDir: folder, settings: { shared_buffers: '16MB' } });
  started.push({ server, folder });
  return server;
}

async function freshFolder(mode: number): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'embedded-'));
  await chmod(folder, mode);
  return folder;
}

async function count(server: EmbeddedServer): Promise<number> {
  const database = openDatabase({ url: await server.databaseUrl('kept'), connectionsMax: 1 });
  try {
    await database.sql`CREATE TABLE IF NOT EXISTS visits (at timestamptz DEFAULT now())`;
    await database.sql`INSERT INTO visits DEFAULT VALUES`;
    const [row] = await database.sql<{ count: number }[]>`SELECT count(*)::int AS count FROM visits`;
    return row?.count ?? 0;
  } finally {
    await database.close();
  }
}

describe('the embedded server', () => {
  test('keeps its data when it is restarted', async () => {
    const folder = await freshFolder(0o755);
    const first = await start(folder);
    expect(await count(first)).toBe(1);
    await first.stop();
    const second = await start(folder);
    expect(second.isAdopted).toBe(false);
    expect(await count(second)).toBe(2);
  });

  test('takes over a server that a killed process left running', async () => {
    const folder = await freshFolder(0o755);
    const first = await start(folder);
    await count(first);
    const second = await start(folder);
    expect(second.isAdopted).toBe(true);
    expect(second.pid).toBe(first.pid);
    expect(await count(second)).toBe(2);
  });

  test('loses no committed data when it is killed with SIGKILL', async () => {
    const folder = await freshFolder(0o755);
    const first = await start(folder);
    await count(first);
    process.kill(first.pid, 'SIGKILL');
    const second = await start(folder);
    expect(await count(second)).toBe(2);
  });

  test('works below a folder that only its owner may enter', async () => {
    const server = await start(await freshFolder(0o700));
    expect(await count(server)).toBe(1);
  });
});
