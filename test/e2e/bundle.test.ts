import { randomBytes } from 'node:crypto';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../support/database.ts';

const root = path.join(import.meta.dirname, '..', '..');
const services = readdirSync(path.join(root, 'services')).filter((name) => existsSync(path.join(root, 'services', name, 'src', 'main.ts')));

// Outside the repository on purpose: what a bundle needs of the house must be in it.
let out = '';
beforeAll(() => {
  out = mkdtempSync(path.join(tmpdir(), 'pulsewire-bundles-'));
  const build = spawnSync(process.execPath, [path.join(root, 'packages/runtime/tools/build.ts'), '--out', out], { encoding: 'utf8' });
  expect(build.stderr).toBe('');
  expect(build.status).toBe(0);
});
afterAll(() => rmSync(out, { recursive: true, force: true }));

describe('a production bundle', () => {
  it.each(services)('of %s lists its settings, far from the sources', (service) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(out, service, 'main.js'), '--help'], {
      encoding: 'utf8',
      cwd: out,
      env: {},
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('LOG_LEVEL');
  });

  const database = useDatabase();
  it('starts on a real database, says that it is ready, and drains on SIGTERM', async () => {
    const child = spawn(process.execPath, ['--enable-source-maps', path.join(out, 'dispatcher', 'main.js')], {
      cwd: out,
      env: { DATABASE_URL: database.url, ENCRYPTION_KEYS: `1:${randomBytes(32).toString('base64')}`, HEALTH_PORT: '0', LOG_FORMAT: 'json' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const closed = once(child, 'close');
    let log = '';
    const collect = (text: string) => {
      log += text;
      if (text.includes('"process.started"')) child.kill('SIGTERM');
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    const [code] = (await closed) as [number | null];
    expect(code, log).toBe(0);
    expect(log).toContain('"process.stopped"');
  });
});
