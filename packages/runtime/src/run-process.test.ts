import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
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
  await new Promise((resolve) => setTimeout(resolve, 1050));
  child.kill('SIGINT');
  expect((await child.end()).code).toBe(130);
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
