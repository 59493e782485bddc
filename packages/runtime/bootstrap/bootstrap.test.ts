import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resolveCommand } from './commands.mjs';
import { withInstallLock } from './install-lock.mjs';
import { fingerprint } from './install.mjs';
import { installerEnv, runQuietly } from './installer.mjs';

const bootstrap = import.meta.dirname;
let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pulsewire bootstrap-'));
  for (const service of ['api', 'relay']) {
    mkdirSync(join(root, 'services', service, 'src'), { recursive: true });
    writeFileSync(join(root, 'services', service, 'src', 'main.ts'), '');
  }
  mkdirSync(join(root, 'packages', 'kernel'), { recursive: true });
  writeFileSync(join(root, 'packages', 'kernel', 'package.json'), '{}');
  writeFileSync(join(root, 'pnpm-lock.yaml'), 'lock');
});
afterEach(() => rmSync(root, { recursive: true }));

describe('resolveCommand', () => {
  it('returns the file of a command and passes the arguments on', () => {
    const command = resolveCommand(root, ['start', '--check-config']);
    expect(command).toMatchObject({ ok: true, nodeArgs: [join(root, 'services/standalone/src/main.ts'), '--check-config'] });
  });

  it('ignores the dashes before the arguments, which npm usually removes', () => {
    const command = resolveCommand(root, ['bench', '--', 'reports', '--seed', '5']);
    expect(command).toMatchObject({ nodeArgs: [join(root, 'test/bench/main.ts'), 'reports', '--seed', '5'] });
  });

  it('runs the tests once, or again after every change', () => {
    const argsOf = (...rest: string[]): unknown => (resolveCommand(root, ['test', ...rest]) as { nodeArgs: string[] }).nodeArgs.slice(1);
    expect(argsOf('store/')).toEqual(['run', '--config', join(root, 'test/vitest.config.ts'), 'store/']);
    expect(argsOf('--watch', 'store/')).toEqual(['watch', '--config', join(root, 'test/vitest.config.ts'), 'store/']);
  });

  it('starts a service by its name', () => {
    expect(resolveCommand(root, ['service', 'relay', '-x'])).toMatchObject({ nodeArgs: [join(root, 'services/relay/src/main.ts'), '-x'] });
  });

  it.each(['../kernel', 'api/../api', 'unknown', ''])('refuses %j as a service, and names those that exist', (name) => {
    expect(resolveCommand(root, ['service', name])).toMatchObject({ ok: false, problem: expect.stringContaining('api, relay') as string });
  });

  it.each([[['toString']], [['deploy']], [[]]])('refuses %j as a command', (args) => {
    expect(resolveCommand(root, args).ok).toBe(false);
  });
});

describe('run.mjs', () => {
  it('lists the commands and ends with code 64 for an unknown one', () => {
    const { status, stderr } = spawnSync(process.execPath, [join(bootstrap, 'run.mjs'), 'dance'], { encoding: 'utf8' });
    expect(status).toBe(64);
    expect(stderr).toContain('There is no command "dance".');
    expect(stderr).toContain('npm run check');
  });

  it.each([
    ['an exit code', 'process.exit(7)', { status: 7, signal: null }],
    ['a terminating signal', 'process.kill(process.pid, "SIGKILL")', { status: null, signal: 'SIGKILL' }],
  ])('run.mjs passes on %s', (_name, code, expected) => {
    const script = `import { runChild } from ${JSON.stringify(join(bootstrap, 'run-child.mjs'))};
      process.exitCode = await runChild(process.execPath, ['-e', ${JSON.stringify(code)}], { cwd: '/', env: {} });`;
    expect(spawnSync(process.execPath, ['--input-type=module', '-e', script])).toMatchObject(expected);
  });

  it('passes a signal on once, also when npm repeats it', async () => {
    const child = `let count = 0; process.on('SIGTERM', () => { count += 1; console.log('got'); setTimeout(() => process.exit(40 + count), 200); }); setInterval(() => {}, 1000); console.log('up')`;
    const script = `import { runChild } from ${JSON.stringify(join(bootstrap, 'run-child.mjs'))};
      process.exitCode = await runChild(process.execPath, ['-e', ${JSON.stringify(child)}], { cwd: '/', env: {} });`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(parent.stdout, 'data');
    parent.kill('SIGTERM');
    await once(parent.stdout, 'data');
    parent.kill('SIGTERM');
    expect(await once(parent, 'close')).toEqual([41, null]);
  });
});

describe('installation', () => {
  it('is due when the lock file or any package.json has changed', () => {
    const before = fingerprint(root);
    expect(fingerprint(root)).toBe(before);
    writeFileSync(join(root, 'packages', 'kernel', 'package.json'), '{"name":"kernel"}');
    const after = fingerprint(root);
    expect(after).not.toBe(before);
    writeFileSync(join(root, 'pnpm-lock.yaml'), 'other');
    expect(fingerprint(root)).not.toBe(after);
  });

  it('inherits registry settings, and removes other variables of npm', () => {
    const inherited = {
      npm_config_registry: 'https://r',
      npm_config_cafile: '/ca',
      'npm_config_//r/:_authToken': 't',
      PATH: '/bin',
      HOME: '/h',
    };
    const removed = {
      npm_config_omit: 'dev',
      npm_config_ignore_scripts: 'true',
      npm_lifecycle_event: 'start',
      NODE_ENV: 'production',
      NODE_OPTIONS: '-r x',
    };
    expect(installerEnv({ ...inherited, ...removed })).toEqual(inherited);
  });

  it('runs once at a time', async () => {
    const lock = join(root, 'install.lock');
    const steps: string[] = [];
    const work = (name: string) => async () => {
      steps.push(`${name} in`);
      for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
      steps.push(`${name} out`);
    };
    await Promise.all([withInstallLock(lock, () => {}, work('a')), withInstallLock(lock, () => {}, work('b'))]);
    expect(steps).toHaveLength(4);
    expect(steps[0]?.[0]).toBe(steps[1]?.[0]);
    expect(readdirSync(root).filter((name) => name.startsWith('install.lock'))).toEqual([]);
  });

  it.each([
    [
      'whose process is gone',
      (lock: string) => writeFileSync(join(lock, 'owner'), JSON.stringify({ pid: 2 ** 22 + 1, host: hostname(), token: 't' })),
    ],
    ['that has been silent for long', (lock: string) => utimesSync(lock, new Date(0), new Date(0))],
  ])('takes over a lock %s', async (_name, makeStale) => {
    const lock = join(root, 'install.lock');
    mkdirSync(lock);
    makeStale(lock);
    expect(
      await withInstallLock(
        lock,
        () => {},
        async () => 'done',
      ),
    ).toBe('done');
    expect(existsSync(lock)).toBe(false);
  });

  it('releases the lock when the installation fails', async () => {
    const lock = join(root, 'install.lock');
    await expect(
      withInstallLock(
        lock,
        () => {},
        () => Promise.reject(new Error('no network')),
      ),
    ).rejects.toThrow('no network');
    expect(existsSync(lock)).toBe(false);
  });
});

it('an installation reports its last line of progress again and again until it ends', async () => {
  const said: string[] = [];
  const enough = Promise.withResolvers<void>();
  const say = (line: string) => {
    if (said.push(line) === 3) enough.resolve();
  };
  // Ends when a file appears, so that the test does not depend on time.
  const program = `console.log('added 5'); setInterval(() => require('fs').existsSync('done') && process.exit(3), 10)`;
  const run = runQuietly(process.execPath, ['-e', program], { cwd: root, env: {}, say, sayEveryMs: 100 }) as Promise<unknown>;
  await enough.promise;
  writeFileSync(join(root, 'done'), '');
  expect(await run).toEqual({ code: 3, output: 'added 5\n' });
  expect(said.at(-1)).toMatch(/^Still installing after \d+ s(: added 5| …)$/);
});
