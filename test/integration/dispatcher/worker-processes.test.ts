import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { childPids, isRunning } from '../../support/child-pids.ts';
import { useDatabase } from '../../support/database.ts';
import { processEnv } from '../../support/process-env.ts';
import { program } from '../../support/programs/program.ts';
import { harnessKey, useHarness, type Harness } from './harness.ts';

const file = useDatabase();
const createHarness = useHarness(file);

/** A dispatcher with two worker processes. */
async function startWorkers(harness: Harness, settings: Readonly<Record<string, string>> = {}) {
  const env = {
    ...processEnv,
    WORKERS: '2',
    DATABASE_URL: file.url,
    ENCRYPTION_KEYS: `1:${harnessKey.toString('base64')}`,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    HEALTH_PORT: '0',
    LOG_FORMAT: 'json',
    ...settings,
    ...harness.logEnv,
  };
  const parent = spawn(process.execPath, [program('services/dispatcher/src/main.ts')], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const logged: { event: string; port?: number; workerNumber?: number }[] = [];
  createInterface(parent.stdout).on('line', (line) => logged.push(JSON.parse(line) as (typeof logged)[number]));
  const portOf = () => logged.find(({ event }) => event === 'health.listening')?.port;
  await expect.poll(portOf, { timeout: 30_000 }).toBeDefined();
  const get = (path: string) => fetch(`http://127.0.0.1:${portOf()}${path}`);
  const ready = () => expect.poll(async () => (await get('/health/ready')).status, { timeout: 30_000 }).toBe(200);
  await ready();
  return { parent, get, ready, workers: () => childPids(parent.pid ?? 0), exited: once(parent, 'exit') };
}

it('both workers own shards and deliver; one that is killed under load loses nothing', async () => {
  const harness = await createHarness();
  const { receiver } = await harness.endpoint();
  const { parent, get, ready, workers, exited } = await startWorkers(harness);
  const owned = async () => [...(await (await get('/metrics')).text()).matchAll(/^log_shards_owned\{.*worker_number="\d"\} (\d+)$/gm)];
  await expect.poll(async () => (await owned()).filter(([, shards]) => Number(shards) > 0).length, { timeout: 20_000 }).toBe(2);
  await harness.emit(100);
  await receiver.until(20);
  const [victim = 0] = workers();
  process.kill(victim, 'SIGKILL');
  await harness.emit(100);
  await receiver.until(200);
  await harness.caughtUp();
  // Nothing that was not emitted, and each repeat has the id of its message, which receivers ignore.
  expect(receiver.ids.size).toBe(200);
  // Each message is recorded as delivered once.
  await expect.poll(async () => (await harness.pending()).length, { timeout: 90_000 }).toBe(0);
  const delivered = (await harness.attempts()).map(({ event_id: eventId }) => eventId);
  expect(new Set(delivered).size).toBe(delivered.length);
  await ready();
  expect(workers()).toHaveLength(2);
  const left = workers();
  parent.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(left.filter(isRunning)).toEqual([]);
});

it('a frozen worker makes the dispatcher not ready and is replaced, while the other one delivers', async () => {
  const harness = await createHarness();
  const { receiver } = await harness.endpoint();
  const { get, ready, workers } = await startWorkers(harness, { WORKER_SILENCE_MAX_MS: '4000' });
  const [victim = 0] = workers();
  process.kill(victim, 'SIGSTOP');
  await harness.emit(50);
  await expect.poll(async () => (await get('/health/ready')).status, { timeout: 10_000 }).toBe(503);
  expect((await get('/health/live')).status).toBe(200);
  await receiver.until(50);
  await ready();
  expect(isRunning(victim)).toBe(false);
  expect(receiver.ids.size).toBe(50);
});
