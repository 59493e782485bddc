import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { useWorld } from './harness.ts';

const file = useDatabase();
const world = useWorld(file);
const main = path.join(import.meta.dirname, '../../../services/dispatcher/src/main.ts');

it('the dispatcher runs as a process of its own: ready, delivering, counted, and drained by SIGTERM', async () => {
  const w = await world();
  const { receiver } = await w.endpoint();
  const env = {
    DATABASE_URL: file.url,
    ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 7).toString('base64')}`,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    // The longest that is allowed: leases have to follow it.
    WEBHOOK_TIMEOUT_MS: '60000',
    HEALTH_PORT: '0',
    LOG_FORMAT: 'json',
    ...w.logEnv,
  };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const port = await new Promise<number>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const logged = JSON.parse(line) as { event: string; port?: number };
      if (logged.event === 'health.listening' && logged.port !== undefined) resolve(logged.port);
    });
  });
  const get = (route: string) => fetch(`http://127.0.0.1:${port}${route}`);
  await expect.poll(async () => (await get('/health/ready')).status, { timeout: 15_000 }).toBe(200);
  await w.emit(20);
  await receiver.until(20);
  await w.caughtUp();
  const metrics = await (await get('/metrics')).text();
  expect(metrics).toMatch(/webhook_attempts_total\{[^}]*outcome="delivered"[^}]*\} 20/);
  expect(metrics).toMatch(/webhook_first_attempt_delay_seconds_count\{[^}]*\} 20/);
  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
});
