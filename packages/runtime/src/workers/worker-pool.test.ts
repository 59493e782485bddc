import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from 'vitest';

// Saves a third of the time in which a process starts.
const compileCache = join(import.meta.dirname, '../../../../node_modules/.cache/compile');
const fixture = join(import.meta.dirname, '../../fixtures/workers.ts');
const parents: ChildProcess[] = [];
const pids = new Set<number>();
afterEach(() => {
  for (const parent of parents.splice(0)) parent.kill('SIGKILL');
  for (const pid of pids) if (isRunning(pid)) process.kill(pid, 'SIGKILL');
  pids.clear();
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

interface Reply {
  readonly number: number;
  readonly pid: number;
  readonly planned: number;
}

/** One request on a connection of its own; rejects when the connection breaks. */
function ask(port: number, path = '/'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = http.get({ host: '127.0.0.1', port, path, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(JSON.parse(text) as Reply));
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}

function start(scene: string, settings: Readonly<Record<string, string>> = {}) {
  const env = { PATH: '', NODE_COMPILE_CACHE: compileCache, SCENE: scene, WORKERS: '2', HEALTH_PORT: '0', LOG_FORMAT: 'json', ...settings };
  const parent = spawn(process.execPath, [fixture], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  parents.push(parent);
  const events: { event: string; workerNumber?: number; port?: number }[] = [];
  const lines: string[] = [];
  const port = { service: 0, health: 0 };
  createInterface(parent.stdout).on('line', (line) => {
    lines.push(line);
    const [, , pid, listening] = /^worker (\d+) (\d+) (\d+)$/.exec(line) ?? [];
    if (pid === undefined) return;
    pids.add(Number(pid));
    port.service = Number(listening);
  });
  createInterface(parent.stderr).on('line', (line) => {
    const logged = JSON.parse(line) as (typeof events)[number];
    events.push(logged);
    if (logged.event === 'health.listening') port.health = logged.port ?? 0;
  });
  const exited = once(parent, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const get = async (path: string) => fetch(`http://127.0.0.1:${port.health}${path}`);
  return {
    parent,
    lines,
    events,
    exited,
    port,
    get,
    ready: () => expect.poll(async () => port.health > 0 && (await get('/health/ready')).ok, { timeout: 30_000 }).toBe(true),
    checks: async () => ((await (await get('/health/ready')).json()) as { checks: Record<string, string> }).checks,
    has: (event: string) => events.some((logged) => logged.event === event),
  };
}

it('spreads connections over the workers, with the settings of the plan, and reports all of them', async () => {
  const { ready, port, get, checks, events } = start('serves');
  await ready();
  const replies: Reply[] = [];
  while (replies.length < 8) replies.push(await ask(port.service));
  expect(replies.filter(({ number }) => number === 1)).toHaveLength(4);
  expect(replies.filter(({ number }) => number === 2)).toHaveLength(4);
  expect(new Set(replies.map(({ planned }) => planned))).toEqual(new Set([20]));
  expect(await checks()).toEqual({ worker_1: 'ok', worker_2: 'ok' });
  const metrics = await (await get('/metrics')).text();
  for (const number of [1, 2]) expect(metrics).toMatch(new RegExp(`^http_requests_total\\{.*worker_number="${number}"\\} 4$`, 'm'));
  expect(metrics.match(/^# HELP http_requests_total/gm)).toHaveLength(1);
  const numbers = events.filter(({ event }) => event === 'process.started').map(({ workerNumber }) => workerNumber);
  expect(new Set(numbers)).toEqual(new Set([undefined, 1, 2]));
});

it('replaces a worker that is killed, under its number, while the other one serves', async () => {
  const { ready, port, get } = start('serves');
  await ready();
  const { pid, number } = await ask(port.service);
  process.kill(pid, 'SIGKILL');
  await expect.poll(() => isRunning(pid)).toBe(false);
  expect((await ask(port.service)).pid).not.toBe(pid);
  await ready();
  const replies = await Promise.all([ask(port.service), ask(port.service)]);
  expect(new Set(replies.map((reply) => reply.number))).toEqual(new Set([1, 2]));
  expect(replies.some((reply) => reply.pid === pid)).toBe(false);
  expect(await (await get('/metrics')).text()).toContain(`worker_restarts_total{worker="worker_${number}",service="fixture"} 1`);
});

it('a blocked worker blocks neither health nor other workers, and is killed and replaced', async () => {
  const { ready, port, get, checks, has } = start('serves', { WORKER_SILENCE_MAX_MS: '4000' });
  await ready();
  const { number } = await ask(port.service);
  const other = 3 - number;
  // The next connection is the other worker's, and blocks it.
  const blocking = ask(port.service, '/block').then(
    () => 'answered',
    () => 'broken off',
  );
  // Some of these are handed to the blocked worker, which may never accept them.
  const replies = Promise.allSettled(Array.from({ length: 6 }, () => ask(port.service)));
  await expect.poll(async () => (await checks())[`worker_${other}`]).toBe('worker_blocked');
  expect((await get('/health/live')).status).toBe(200);
  expect((await get('/metrics')).status).toBe(200);
  expect((await ask(port.service)).number).toBe(number);
  expect(await blocking).toBe('broken off');
  const served = (await replies).flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value.number] : []));
  expect(new Set(served)).toEqual(new Set([number]));
  expect(has('worker_process.killed')).toBe(true);
  await ready();
  expect(await (await get('/metrics')).text()).toContain(`worker_process_blocked_total{worker="worker_${other}",service="fixture"} 1`);
});

it.each(['SIGTERM', 'SIGINT'] as const)('on %s every worker drains, and nothing is left', async (signal) => {
  const { ready, parent, exited, lines } = start('serves');
  await ready();
  parent.kill(signal);
  expect(await exited).toEqual([0, null]);
  expect(lines.filter((line) => line.endsWith('stops')).toSorted()).toEqual(['worker 1 stops', 'worker 2 stops']);
  expect([...pids].filter(isRunning)).toEqual([]);
});

it('a stop while the workers load their modules ends them too', async () => {
  const { parent, exited, has } = start('serves');
  await expect.poll(() => has('worker_process.forked'), { timeout: 30_000 }).toBe(true);
  parent.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(has('process.killed')).toBe(false);
  expect([...pids].filter(isRunning)).toEqual([]);
});

it('ends with code 1 and leaves nothing when workers do not drain within the grace time', async () => {
  const { ready, parent, exited, has } = start('hangs', { SHUTDOWN_GRACE_MS: '150' });
  await ready();
  parent.kill('SIGTERM');
  expect(await exited).toEqual([1, null]);
  expect(has('process.killed')).toBe(true);
  expect([...pids].filter(isRunning)).toEqual([]);
});

it('workers end when their parent is killed with SIGKILL', async () => {
  const { ready, parent } = start('serves');
  await ready();
  expect([...pids].map(isRunning)).toEqual([true, true]);
  parent.kill('SIGKILL');
  await expect.poll(() => [...pids].filter(isRunning)).toEqual([]);
});

it('ends with the exit code of a worker that cannot start', async () => {
  const { exited, has } = start('refuses');
  expect(await exited).toEqual([78, null]);
  expect(has('process.start_failed')).toBe(true);
});

it('with WORKERS=1 one process does everything', async () => {
  const { ready, port, parent } = start('serves', { WORKERS: '1' });
  await ready();
  expect(await ask(port.service)).toEqual({ number: 0, pid: parent.pid, planned: 0 });
});
