import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { childPids, isRunning } from '../support/child-pids.ts';
import { useDatabase } from '../support/database.ts';
import { kafkaEnv } from '../support/log.ts';
import { processEnv } from '../support/process-env.ts';
import { program } from '../support/programs/program.ts';

const database = useDatabase();
const apiKey = `sk_${randomBytes(24).toString('hex')}`;

async function startWithWorkers(settings: Readonly<Record<string, string>> = {}) {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-workers-'));
  await chmod(dataDir, 0o755);
  const env = {
    ...processEnv,
    WORKERS: '2',
    PORT: '0',
    DATA_DIR: dataDir,
    TEAM_API_KEY: apiKey,
    DEMO: 'off',
    LOG_LEVEL: 'info',
    LOG_FORMAT: 'json',
    ...kafkaEnv('test.npm-start-workers.'),
    ...settings,
  };
  const parent = spawn(process.execPath, [program('services/standalone/src/main.ts')], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [parent.stdout, parent.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(parent, 'exit');
  const seen = new Set<number>();
  onTestFinished(async () => {
    // Not SIGKILL: the embedded Postgres would survive.
    if (parent.exitCode === null && parent.signalCode === null) parent.kill('SIGTERM');
    await exited;
    for (const pid of seen) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });
  const printed = async (pattern: RegExp) => {
    await expect
      .poll(() => pattern.test(output), { timeout: 100_000 })
      .toBe(true)
      .catch((cause: unknown) => {
        throw new Error(`${String(pattern)} in:\n${output.slice(-3000)}`, { cause });
      });
    return pattern.exec(output)?.[1] ?? '';
  };
  const url = await printed(/Pulsewire ready: (\S+)/);
  const health = await printed(/for operators: (http:\S+?)\/health/);
  return {
    parent,
    exited,
    url,
    health,
    output: () => output,
    /** Of the worker processes, which are those that write the log with their number. */
    workers() {
      const pids = [...output.matchAll(/"workerPid":(\d+),"event":"worker_process.forked"/g)]
        .map(([, pid]) => Number(pid))
        .filter(isRunning);
      for (const pid of pids) seen.add(pid);
      return pids;
    },
    readiness: async () => (await fetch(`${health}/health/ready`)).status,
  };
}

const users = (url: string, name: string) =>
  fetch(`${url}/v2/user`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-api-key': apiKey, connection: 'close' },
    body: JSON.stringify({ client_user_id: name }),
  });

test('npm start with workers serves while one is killed, replaces it, and leaves nothing when it stops', { timeout: 200_000 }, async () => {
  const { parent, exited, url, health, workers, readiness, output } = await startWithWorkers();
  expect(await readiness()).toBe(200);
  const [victim = 0, ...others] = workers();
  expect(others).toHaveLength(1);
  const created: number[] = [];
  const refused: number[] = [];
  const create = async (name: string) => {
    // As a client does: what was not answered is sent again, and is then known.
    for (;;) {
      const response = await users(url, name).catch(() => null);
      if (response === null) continue;
      (response.status === 200 || response.status === 400 ? created : refused).push(response.status);
      return;
    }
  };
  const load = Promise.all(
    Array.from({ length: 4 }, async (_, client) => {
      for (let number = 0; number < 10; number++) await create(`user-${client}-${number}`);
    }),
  );
  await expect.poll(() => created.length).toBeGreaterThan(3);
  process.kill(victim, 'SIGKILL');
  await load;
  expect(refused).toEqual([]);
  const { total } = (await (await fetch(`${url}/v2/user`, { headers: { 'x-service-api-key': apiKey } })).json()) as { total: number };
  expect(total).toBe(40);
  await expect.poll(readiness, { timeout: 30_000 }).toBe(200);
  expect(workers()).toHaveLength(2);
  expect(workers()).not.toContain(victim);
  expect(await (await fetch(`${health}/metrics`)).text()).toMatch(/http_requests_total\{[^}]*worker_number="2"/);
  const running = [...workers(), ...childPids(parent.pid ?? 0)];
  parent.kill('SIGTERM');
  expect(await exited, output().slice(-2000)).toEqual([0, null]);
  expect(running.filter(isRunning)).toEqual([]);
});

test('the workers of npm start end with their parent when it is killed with SIGKILL', { timeout: 200_000 }, async () => {
  // The embedded Postgres would survive, for the next start.
  const { parent, exited, workers } = await startWithWorkers({ DATABASE_URL: database.url });
  const pids = workers();
  expect(pids).toHaveLength(2);
  parent.kill('SIGKILL');
  await exited;
  await expect.poll(() => pids.filter(isRunning)).toEqual([]);
});
