import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';

const fixture = join(import.meta.dirname, '..', 'fixtures', 'process.ts');
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

function start(scene: string, options: { readonly env?: Record<string, string>; readonly args?: readonly string[] } = {}) {
  const env = { PATH: '', SCENE: scene, ...options.env };
  const child = spawn(process.execPath, [fixture, ...(options.args ?? [])], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const seen = { out: '', err: '' };
  const waiting = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    seen.out += text;
    for (const look of waiting) look();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (seen.err += text));
  const closed = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    said: (line: string) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (seen.out.includes(`${line}\n`)) resolve();
        };
        waiting.add(look);
        look();
      }),
    end: async () => {
      const [code] = await closed;
      return { code, lines: seen.out.trim().split('\n'), err: seen.err };
    },
  };
}

const drained = ['running', 'second stops', 'second drained', 'first stops', 'first drained', 'closed'];

it.each(['SIGINT', 'SIGTERM'] as const)('on %s drains in reverse order, closes, and ends with code 0', async (signal) => {
  const child = start('clean');
  await child.said('running');
  child.kill(signal);
  expect(await child.end()).toMatchObject({ code: 0, lines: drained });
});

it('treats the same signal twice within a second as one', async () => {
  const child = start('clean');
  await child.said('running');
  child.kill('SIGINT');
  await child.said('second stops');
  child.kill('SIGINT');
  expect(await child.end()).toMatchObject({ code: 0, lines: expect.arrayContaining(['closed']) as string[] });
});

it('is killed with code 1 when the grace time is over', async () => {
  const child = start('hangs', { env: { SHUTDOWN_GRACE_MS: '150' } });
  await child.said('running');
  child.kill('SIGTERM');
  const { code, lines, err } = await child.end();
  expect({ code, lines }).toEqual({ code: 1, lines: ['running', 'second stops'] });
  expect(err).toContain('process.killed');
});

it('ends at once on a second, later signal', async () => {
  const child = start('hangs', { env: { SHUTDOWN_GRACE_MS: '60000' } });
  await child.said('running');
  child.kill('SIGINT');
  await child.said('second stops');
  // Signals that follow within a second belong to the first; the one after it ends the process.
  const again = setInterval(() => child.kill('SIGINT'), 100);
  const { code } = await child.end();
  clearInterval(again);
  expect(code).toBe(130);
});

it.each(['rejects', 'throws'])('when uncaught code %s, logs it, drains and ends with code 1', async (scene) => {
  const { code, lines, err } = await start(scene).end();
  expect({ code, lines }).toEqual({ code: 1, lines: drained });
  expect(err).toContain('process.crashed');
});

it('ends with code 1 when a worker that must not fail has failed', async () => {
  const { code, lines } = await start('fatal').end();
  expect(code).toBe(1);
  expect(lines).toContain('closed');
});

it('ends with code 1 when it cannot start', async () => {
  const { code, err } = await start('start-fails').end();
  expect(code).toBe(1);
  expect(err).toContain('no database');
});

it('waits for an unavailable dependency, and starts when it becomes available', async () => {
  const child = start('start-late');
  await child.said('running');
  child.kill('SIGTERM');
  const { code, lines } = await child.end();
  expect(code).toBe(0);
  expect(lines.slice(0, 3)).toEqual(['refused', 'refused', 'running']);
});

it('ends with code 1 when a dependency is still unavailable at the start deadline', async () => {
  const { code, lines, err } = await start('start-refused', { env: { START_DEADLINE_MS: '600' } }).end();
  expect(code).toBe(1);
  expect(lines.length).toBeGreaterThan(1);
  expect(err).toContain('no database yet');
});

it('ends at once with code 0 when it is stopped while it waits for a dependency', async () => {
  const child = start('start-refused');
  await child.said('refused');
  child.kill('SIGTERM');
  expect((await child.end()).code).toBe(0);
});

it('waits for a start in progress before it closes', async () => {
  const child = start('start-waits');
  await child.said('starting');
  child.kill('SIGTERM');
  const { code, lines } = await child.end();
  expect(code).toBe(0);
  expect(lines).toContain('closed');
});

it('ends with code 78 and names every problem when the configuration is wrong', async () => {
  const { code, err } = await start('unknown', { env: { SHUTDOWN_GRACE_MS: 'soon' } }).end();
  expect(code).toBe(78);
  expect(err).toContain('SCENE must be one of');
  expect(err).toContain('SHUTDOWN_GRACE_MS must be a whole number from 100 to 600000 (ms)');
});

it('warns once at the start of a remote Postgres without verify-full, and never logs its password', async () => {
  const env = { LOG_LEVEL: 'warn', LOG_FORMAT: 'json', DATABASE_URL: 'postgres://app:hunter2@db.internal/pulsewire' };
  const child = start('clean', { env });
  await child.said('running');
  child.kill('SIGTERM');
  const { err } = await child.end();
  expect(err.match(/database\.unverified/g)).toHaveLength(1);
  expect(err).toContain('sslmode=verify-full');
  expect(err).not.toContain('hunter2');
});

it('lists its settings on --help and checks them on --check-config, without starting', async () => {
  const help = await start('clean', { args: ['--help'] }).end();
  expect(help).toMatchObject({ code: 0, err: '' });
  expect(help.lines.join('\n')).toContain('SHUTDOWN_GRACE_MS');
  const check = await start('clean', { args: ['--check-config'] }).end();
  expect(check).toMatchObject({ code: 0, lines: expect.arrayContaining(['  SCENE=clean']) as string[] });
});

it.each(['--verbose', 'demo', '--checkconfig'])('ends with code 64 on the unknown argument %s and starts nothing', async (argument) => {
  const { code, lines, err } = await start('clean', { args: [argument, '--check-config'] }).end();
  expect({ code, lines }).toEqual({ code: 64, lines: [''] });
  expect(err).toContain(`fixture has no option ${argument}`);
  expect(err).toContain('--help');
});

it('prints its version and commit on --version, with settings that would not let it start', async () => {
  const { code, lines } = await start('unknown', { args: ['--version'] }).end();
  expect(code).toBe(0);
  expect(lines.join('')).toMatch(/^Pulsewire fixture \d+\.\d+\.\d+ \(commit ([0-9a-f]{12}|unknown)\)$/);
});

it.each([[], ['--check-config']])('ends with code 78 when settings contradict each other, with the arguments %j', async (...args) => {
  const { code, lines, err } = await start('contradicts', { args }).end();
  expect({ code, lines }).toEqual({ code: 78, lines: [''] });
  expect(err).toContain('SCENE contradicts itself');
});

/** A port that nobody listens on. */
async function listenAnywhere(): Promise<{ port: number; close(): Promise<void> }> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as net.AddressInfo).port,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

it('names the port and the setting when HEALTH_PORT is in use', async () => {
  const taken = await listenAnywhere();
  const { code, err } = await start('clean', { env: { HEALTH_PORT: String(taken.port), LOG_FORMAT: 'json' } }).end();
  await taken.close();
  expect(code).toBe(1);
  expect(err).toContain(`Port ${taken.port} is in use. Set HEALTH_PORT`);
});

it('is not ready during DRAIN_DELAY_MS after a stop signal, while its workers go on', async () => {
  const free = await listenAnywhere();
  await free.close();
  const child = start('clean', { env: { HEALTH_PORT: String(free.port), DRAIN_DELAY_MS: '600000', SHUTDOWN_GRACE_MS: '100' } });
  const readiness = async () => {
    const response = await fetch(`http://127.0.0.1:${free.port}/health/ready`);
    return { status: response.status, report: (await response.json()) as { version: string; workers: { state: string }[] } };
  };
  await child.said('running');
  expect((await readiness()).status).toBe(200);
  child.kill('SIGTERM');
  await expect.poll(async () => (await readiness()).status).toBe(503);
  const { report } = await readiness();
  expect(report.version).toMatch(/^\d/);
  expect(report.workers.map(({ state }) => state)).toEqual(['running', 'running']);
  child.kill('SIGKILL');
  expect((await child.end()).lines).toEqual(['running']);
});

it('drains after DRAIN_DELAY_MS, and counts the grace time from then on', async () => {
  const child = start('clean', { env: { DRAIN_DELAY_MS: '700', SHUTDOWN_GRACE_MS: '500' } });
  await child.said('running');
  child.kill('SIGTERM');
  expect(await child.end()).toMatchObject({ code: 0, lines: drained });
});
