import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
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

  test('writes no values into its log, only that a statement failed', async () => {
    const folder = await freshFolder(0o755);
    const database = openDatabase({ url: await (await start(folder)).databaseUrl('kept'), connectionsMax: 1 });
    await database.sql`CREATE TABLE people (reference text PRIMARY KEY)`;
    const add = () => database.sql`INSERT INTO people VALUES (${'ann@mail.example'})`;
    await add();
    await expect(add()).rejects.toMatchObject({ code: '23505' });
    await database.close();
    const log = await readFile(path.join(folder, 'postgres.log'), 'utf8');
    expect(log).toContain('duplicate key value');
    expect(log).not.toContain('ann@mail.example');
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

  test('refuses a copy of a folder whose server was running, also once that server has stopped', async () => {
    const folder = await freshFolder(0o755);
    const server = await start(folder);
    const copy = `${folder}-copy`;
    await cp(folder, copy, { recursive: true, preserveTimestamps: true });
    const refusal = {
      code: 'data_dir_copied',
      message: expect.stringMatching(/is a copy of .*Stop Pulsewire there, copy the folder again/),
    };
    await expect(startEmbeddedServer({ dataDir: copy })).rejects.toMatchObject(refusal);
    await server.stop();
    await expect(startEmbeddedServer({ dataDir: copy })).rejects.toMatchObject(refusal);
    await rm(copy, { recursive: true });
  });

  test('starts in a folder that was moved after its server was killed', async () => {
    const folder = await freshFolder(0o755);
    const first = await start(folder);
    await count(first);
    process.kill(first.pid, 'SIGKILL');
    const moved = `${folder}-moved`;
    await rename(folder, moved);
    expect(await count(await start(moved))).toBe(2);
  });

  test.each(['exits', 'throws'])('ends when its process %s without stopping it, and names its process', async (how) => {
    const folder = await freshFolder(0o755);
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'leave-server.ts'), folder, how], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { out: '', err: '' };
    child.stdout.on('data', (chunk: Buffer) => (output.out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output.err += chunk.toString()));
    await once(child, 'close');
    const pid = Number(output.out);
    expect(pid, output.err).toBeGreaterThan(1);
    expect(output.err).toContain(`The embedded Postgres (process ${pid})`);
    const isAlive = () => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    await expect.poll(isAlive, { timeout: 20_000 }).toBe(false);
    await rm(folder, { recursive: true });
  });

  test('works below a folder that only its owner may enter', async () => {
    const server = await start(await freshFolder(0o700));
    expect(await count(server)).toBe(1);
  });
});
