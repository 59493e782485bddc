import { randomBytes } from 'node:crypto';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createApiKey, createTeam } from '@pulsewire/connections';
import { systemClock } from '@pulsewire/kernel';
import { renderPdfPage } from '@pulsewire/report-parser';
import { glucoseReport, makePdf } from '../integration/report-parser/pdf.ts';
import { makePng } from '../integration/report-parser/png.ts';
import { useDatabase } from '../support/database.ts';
import { processEnv } from '../support/process-env.ts';

const root = path.join(import.meta.dirname, '..', '..');
const services = readdirSync(path.join(root, 'services')).filter((name) => existsSync(path.join(root, 'services', name, 'src', 'main.ts')));

// Outside the repository on purpose: a release must contain all of our code that it needs.
let folder = '';
let out = '';
const launcher = () => path.join(out, 'pulsewire.js');
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pulsewire-release-'));
  chmodSync(folder, 0o755);
  out = path.join(folder, 'programs');
  const build = spawnSync(process.execPath, [path.join(root, 'packages/runtime/tools/build.ts'), '--out', out], { encoding: 'utf8' });
  expect(build.stderr).toBe('');
  expect(build.status).toBe(0);
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: string[]) => spawnSync(process.execPath, [launcher(), ...args], { encoding: 'utf8', cwd: folder, env: {} });

describe('the programs built into one folder', () => {
  it.each(services)('contain %s, which lists its settings outside the repository', (service) => {
    const { status, stdout, stderr } = run(service, '--help');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('LOG_LEVEL');
  });

  it('contain the commands of operators', () => {
    const { status, stdout } = run('admin', '--help');
    expect([status, stdout]).toEqual([0, expect.stringContaining('teams list')]);
  });

  it('are listed when a name is missing or wrong', () => {
    for (const args of [[], ['apis'], ['report-parser-child'], ['../x']]) {
      const { status, stderr } = run(...args);
      expect([status, stderr]).toEqual([64, expect.stringContaining(`Programs: admin, ${services.join(', ')}`)]);
    }
  });

  it('contain the codecs of Kafka, and what signs in to AWS', async () => {
    const load = createRequire(launcher());
    const snappy = load('snappy') as { compressSync(text: string): Buffer; uncompress(bytes: Buffer): Promise<Buffer> };
    expect(String(await snappy.uncompress(snappy.compressSync('pulse')))).toBe('pulse');
    const lz4 = load('lz4-napi') as { compressFrameSync(text: string): Buffer; decompressFrame(bytes: Buffer): Promise<Buffer> };
    expect(String(await lz4.decompressFrame(lz4.compressFrameSync('pulse')))).toBe('pulse');
    const aws = load('@aws-sdk/credential-providers') as { fromNodeProviderChain(): () => Promise<object> };
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'a-key');
    await expect(aws.fromNodeProviderChain()()).resolves.toMatchObject({ accessKeyId: 'AKIDEXAMPLE' });
    vi.unstubAllEnvs();
  });

  const database = useDatabase();
  const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;
  const settings = () => ({ DATABASE_URL: database.url, ENCRYPTION_KEYS: encryptionKeys, HEALTH_PORT: '0', LOG_FORMAT: 'json' });

  const running: ChildProcess[] = [];
  afterEach(() => running.splice(0).forEach((child) => child.kill('SIGKILL')));

  /** Starts a program, through another one with its arguments; resolves once it works. */
  async function start(name: string, more: Record<string, string> = {}, [through, ...args]: readonly string[] = []) {
    const own = [launcher(), name];
    const [command, all] = through === undefined ? [process.execPath, own] : [through, [...args, process.execPath, ...own]];
    const env = { ...settings(), ...more, PATH: processEnv['PATH'] };
    const child = spawn(command, all, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    running.push(child);
    const closed = once(child, 'close') as Promise<[number | null]>;
    let log = '';
    for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', (text: string) => (log += text));
    await expect.poll(() => log, { timeout: 60_000 }).toContain('"process.started"');
    const stop = async () => {
      child.kill('SIGTERM');
      const [code] = await closed;
      return { code, log };
    };
    return { stop, log: () => log };
  }

  // As in a container: everything is read-only, and the user owns nothing and may become nobody else.
  const script =
    'mount --make-rprivate / && mount -o remount,bind,ro / && exec setpriv --reuid=65532 --regid=65532 --clear-groups --no-new-privs "$@"';
  const confined = ['unshare', '--mount', 'sh', '-c', script, 'sh'];
  const [command = '', ...args] = confined;
  const canConfine = spawnSync(command, [...args, 'true']).status === 0;
  it.skipIf(!canConfine).each(['api', 'ingest', 'dispatcher', 'scheduler', 'labs', 'report-parser'])(
    'start %s as a user without rights on a file system that is read-only',
    async (name) => {
      expect(spawnSync(command, [...args, 'touch', path.join(folder, 'x')]).status).not.toBe(0);
      const secrets = name === 'api' ? { PORT: '0', LINK_TOKEN_SECRET: randomBytes(32).toString('hex') } : {};
      const { code, log } = await (await start(name, secrets, confined)).stop();
      expect(code, log).toBe(0);
    },
  );

  it('read an uploaded scan in a process of its own', { timeout: 120_000 }, async () => {
    const team = await createTeam(database.current, systemClock, { name: 'clinic', isSandbox: false });
    const { key } = await createApiKey(database.current, systemClock, { team, label: 'test' });
    const [api, parser] = [
      await start('api', { PORT: '0', LINK_TOKEN_SECRET: randomBytes(32).toString('hex') }),
      await start('report-parser'),
    ];
    const url = /"url":"(http:[^"]+)"/.exec(api.log())?.[1] ?? '';
    const call = async (method: string, to: string, body?: FormData | string) => {
      const type = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
      const response = await fetch(url + to, {
        method,
        headers: { 'x-service-api-key': key, ...type },
        ...(body !== undefined && { body }),
      });
      return (await response.json()) as Record<string, never>;
    };
    const { user_id: userId } = await call('POST', '/v2/user', '{"client_user_id":"patient"}');
    const { pixels, width, height } = await renderPdfPage(await makePdf([glucoseReport]), 0, 40_000_000);
    const form = new FormData();
    form.set('user_id', String(userId));
    form.set('file', new Blob([Buffer.from(makePng(pixels, width, height))], { type: 'image/png' }), 'scan.png');
    const { id } = await call('POST', '/lab_report/v1/parser/job', form);
    const read = () => call('GET', `/lab_report/v1/parser/job/${String(id)}`);
    await expect.poll(async () => (await read())['status'], { timeout: 60_000 }).toBe('completed');
    expect(await read()).toMatchObject({ data: { results: [{ value: '212' }, { value: '55' }, { value: '90' }] } });
    expect((await Promise.all([api.stop(), parser.stop()])).map(({ code }) => code)).toEqual([0, 0]);
  });

  // Nothing listens there: the service starts without Kafka, with our patches of its client.
  const kafka = { KAFKA_BROKERS: '127.0.0.1:9', SCHEMA_REGISTRY_URL: 'http://127.0.0.1:9' };
  it.each([
    ['Postgres', {}],
    ['Kafka', kafka],
  ])('start with the log on %s, report that they are ready, and drain on SIGTERM', async (_log, more) => {
    const { code, log } = await (await start('dispatcher', more)).stop();
    expect(code, log).toBe(0);
    expect(log).toContain('"process.stopped"');
  });
});
