import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { attemptOutcomes } from '@pulsewire/webhooks';
import { useDatabase } from '../../support/database.ts';
import { harnessKey, useHarness, type Harness } from './harness.ts';
import { processEnv } from '../../support/process-env.ts';
import { program } from '../../support/programs/program.ts';

const file = useDatabase();
const createHarness = useHarness(file);
const main = program('services/dispatcher/src/main.ts');

/** The service as a separate process. */
function startProcess(harness: Harness, settings: Readonly<Record<string, string>> = {}) {
  const env = {
    ...processEnv,
    DATABASE_URL: file.url,
    ENCRYPTION_KEYS: `1:${harnessKey.toString('base64')}`,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    HEALTH_PORT: '0',
    LOG_FORMAT: 'json',
    ...settings,
    ...harness.logEnv,
  };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const port = new Promise<number>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const logged = JSON.parse(line) as { event: string; port?: number };
      if (logged.event === 'health.listening' && logged.port !== undefined) resolve(logged.port);
    });
  });
  return { child, port, exited: once(child, 'exit') };
}

it('the dispatcher process becomes ready, delivers, reports metrics and drains on SIGTERM', async () => {
  const harness = await createHarness();
  const { receiver } = await harness.endpoint();
  // The longest allowed timeout, which the lease must exceed.
  const { child, port, exited } = startProcess(harness, { WEBHOOK_TIMEOUT_MS: '60000' });
  const origin = `http://127.0.0.1:${await port}`;
  const get = (route: string) => fetch(`${origin}${route}`);
  await expect.poll(async () => (await get('/health/ready')).status, { timeout: 15_000 }).toBe(200);
  await harness.emit(20);
  await receiver.until(20);
  await harness.caughtUp();
  const metrics = await (await get('/metrics')).text();
  expect(metrics).toMatch(/webhook_attempts_total\{[^}]*outcome="delivered"[^}]*\} 20/);
  expect(metrics).toMatch(/webhook_first_attempt_delay_seconds_count\{[^}]*\} 20/);
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});

it('on SIGTERM, attempts that end in time are recorded and another dispatcher continues the rest', async () => {
  const harness = await createHarness();
  const [hangs, slow] = [await harness.endpoint(), await harness.endpoint()];
  hangs.receiver.respond = () => {};
  const late: (() => void)[] = [];
  slow.receiver.respond = (_request, response) => void late.push(() => response.writeHead(204).end());
  // Leaves four seconds for attempts in progress.
  const { child, exited } = startProcess(harness, { SHUTDOWN_GRACE_MS: '9000' });
  await harness.emit(3);
  await Promise.all([hangs.receiver.until(3), slow.receiver.until(3)]);
  // Both are rows by now, leased to the process that waits for their responses.
  await expect.poll(async () => (await harness.pending()).filter((row) => row.lease_owner !== null).length).toBe(6);
  await harness.caughtUp();
  child.kill('SIGTERM');
  setTimeout(() => late.forEach((response) => response()), 500);
  expect(await exited).toEqual([0, null]);
  expect((await harness.attempts()).map((row) => [row.endpoint_id, row.outcome])).toEqual(
    Array.from({ length: 3 }, () => [slow.endpointId, attemptOutcomes.delivered]),
  );
  const left = await harness.pending();
  expect(left.map((row) => row.endpoint_id)).toEqual(Array.from({ length: 3 }, () => hangs.endpointId));
  // Free and due: no dispatcher has to wait for a lease to expire.
  expect(left.every((row) => row.lease_owner === null && row.due_in_ms !== null && row.due_in_ms <= 0)).toBe(true);

  hangs.receiver.received.length = 0;
  hangs.receiver.respond = (_request, response) => void response.writeHead(204).end();
  harness.start();
  await hangs.receiver.until(3);
  await expect.poll(async () => (await harness.pending()).length).toBe(0);
  expect(slow.receiver.received).toHaveLength(3);
});
