import { randomBytes } from 'node:crypto';
import { fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { defaultLimits, renderPdfPage, type ParseOutcome } from '@pulsewire/report-parser';
import type { ScansFound } from '../../packages/report-parser/src/isolation/messages.ts';
import { glucoseReport, makePdf } from '../integration/report-parser/pdf.ts';
import { makePng } from '../integration/report-parser/png.ts';
import { useDatabase } from '../support/database.ts';

const root = path.join(import.meta.dirname, '..', '..');
const services = readdirSync(path.join(root, 'services')).filter((name) => existsSync(path.join(root, 'services', name, 'src', 'main.ts')));

// Outside the repository on purpose: a bundle must contain all of our code that it needs.
let out = '';
beforeAll(() => {
  out = mkdtempSync(path.join(tmpdir(), 'pulsewire-bundles-'));
  const build = spawnSync(process.execPath, [path.join(root, 'packages/runtime/tools/build.ts'), '--out', out], { encoding: 'utf8' });
  expect(build.stderr).toBe('');
  expect(build.status).toBe(0);
}, 180_000);
afterAll(() => rmSync(out, { recursive: true, force: true }));

describe('a production bundle', () => {
  it.each(services)('of %s lists its settings when it runs outside the repository', (service) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(out, service, 'main.js'), '--help'], {
      encoding: 'utf8',
      cwd: out,
      env: {},
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('LOG_LEVEL');
  });

  it.each(['report-parser', 'standalone'])('of %s contains what its report parser needs to read a scan', async (service) => {
    const { pixels, width, height } = await renderPdfPage(await makePdf([glucoseReport]), 0, 40_000_000);
    const scan = makePng(pixels, width, height);
    const child = fork(path.join(out, service, 'report-parser-child.js'), [], {
      cwd: out,
      env: {},
      serialization: 'advanced',
      silent: true,
    });
    const exited = once(child, 'close');
    const messages: (ScansFound | ParseOutcome)[] = [];
    child.on('message', (message) => messages.push(message as ScansFound | ParseOutcome));
    child.send({ files: [scan], limits: { ...defaultLimits, pagesMax: 1 } });
    await exited;
    const [found, outcome] = messages;
    expect(found).toEqual({ kind: 'scans', count: 1 });
    expect(outcome?.kind === 'read' && outcome.report.results.map(({ value }) => value)).toEqual(['212', '55', '90']);
  });

  it.each(['dispatcher', 'relay', 'standalone'])('of %s contains the codecs of Kafka, and what signs in to AWS', async (service) => {
    const load = createRequire(path.join(out, service, 'main.js'));
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
  // Nothing listens there: the service starts without Kafka, with our patches of its client.
  const kafka = { KAFKA_BROKERS: '127.0.0.1:9', SCHEMA_REGISTRY_URL: 'http://127.0.0.1:9' };
  it.each([
    ['Postgres', {}],
    ['Kafka', kafka],
  ])('starts with the log on %s, reports that it is ready, and drains on SIGTERM', async (_log, settings) => {
    const child = spawn(process.execPath, ['--enable-source-maps', path.join(out, 'dispatcher', 'main.js')], {
      cwd: out,
      env: { DATABASE_URL: database.url, ENCRYPTION_KEYS: encryptionKeys, HEALTH_PORT: '0', LOG_FORMAT: 'json', ...settings },
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
