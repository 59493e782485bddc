import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { connectors } from '@pulsewire/providers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { kafkaEnv } from '../support/log.ts';
import { processEnv } from '../support/process-env.ts';
import { program } from '../support/programs/program.ts';

const source = path.join(import.meta.dirname, '../../services/standalone/src/main.ts');
// With LOG=kafka the service uses the broker and registry of this run.
const kafka = kafkaEnv('test.npm-start.');
let dataDir = '';
const started: NpmStart[] = [];

/** The process that `npm start` starts after its bootstrap. The first runs from the source, as with `npm start`; the others run from a bundle, to save time. */
class NpmStart {
  readonly process: ChildProcess;
  output = '';

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.process = spawn(process.execPath, [started.length === 0 ? source : program('services/standalone/src/main.ts')], {
      // Enough history to be interrupted by a crash, and less than the hourly quota of the simulated provider.
      env: { ...processEnv, PORT: '0', DATA_DIR: dataDir, DEMO_HISTORY_DAYS: '3', ...kafka, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.process.stdout, this.process.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    started.push(this);
  }

  /** Waits until the output matches, and returns the first capture. */
  async printed(pattern: RegExp, maxMs = 60_000): Promise<string> {
    let found: string | undefined;
    await expect
      .poll(() => (found = pattern.exec(this.output)?.[1]), { timeout: maxMs })
      .toBeDefined()
      .catch((cause: unknown) => {
        // The message includes the output up to now: expect.poll composes its own before it waits.
        throw new Error(`${String(pattern)} in:\n${this.output}`, { cause });
      });
    return found ?? '';
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return this.process.exitCode;
    const exited = once(this.process, 'exit');
    this.process.kill(signal);
    const [code] = (await exited) as [number | null];
    return code;
  }
}

async function get<T>(url: string, apiKey = ''): Promise<T> {
  const response = await fetch(url, { headers: { 'x-service-api-key': apiKey } });
  expect(response.status).toBe(200);
  return (await response.json()) as T;
}

function postAs(url: string, body: object, apiKey: string): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-service-api-key': apiKey },
    body: JSON.stringify(body),
  });
}

interface Counts {
  readonly statistics: { readonly accepted: number; readonly rejected: number; readonly firstProblem?: string };
}

/** Number of accepted deliveries; Infinity, which ends a poll, once an event does not match its published schema. */
async function acceptedBy(receiver: string): Promise<number> {
  const { accepted, firstProblem } = (await get<Counts>(receiver)).statistics;
  problems.push(...(firstProblem === undefined ? [] : [firstProblem]));
  return firstProblem === undefined ? accepted : Infinity;
}

const problems: string[] = [];
const folders: string[] = [];

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'pulsewire-npm-start-'));
  await chmod(folder, 0o755);
  folders.push(folder);
  return folder;
}

beforeAll(async () => {
  dataDir = await makeFolder();
});

// A process left running by a failed test would keep its data folder locked for the next test.
afterEach(() => Promise.all(started.map((run) => run.end('SIGTERM'))), 60_000);

afterAll(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

const passwordProviders = ['abbott_libreview', 'dexcom', 'whoop', 'zwift'];

/** The reason with which each provider refuses an unknown user: only its simulator, called as its own app, refuses this way. */
async function refusedLogins(url: string, apiKey: string): Promise<unknown[]> {
  const post = async (address: string, body: object, headers: Record<string, string> = {}) =>
    (await fetch(`${url}${address}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-api-key': apiKey, ...headers },
      body: JSON.stringify(body),
    }).then((response) => response.json())) as Record<string, string>;
  const { user_id: userId } = await post('/v2/user', { client_user_id: 'visitor' });
  const { link_token: token = '' } = await post('/v2/link/token', { user_id: userId });
  const refusals: unknown[] = [];
  for (const slug of passwordProviders) {
    const nobody = { username: 'nobody@mail.example', password: 'none' };
    const { error_type: reason } = await post(`/v2/link/provider/password/${slug}`, nobody, { 'x-service-link-token': token });
    refusals.push([slug, reason]);
  }
  await fetch(`${url}/v2/user/${userId}`, { method: 'DELETE', headers: { 'x-service-api-key': apiKey } });
  return refusals;
}

/** The sources that the demo links beside the five people's Google Health. */
const others = [
  ...connectors.filter(({ slug }) => slug !== 'google_health').map(({ slug }) => ({ slug, user: `demo-${slug}` })),
  { slug: 'apple_health_kit', user: 'demo-phone' },
  { slug: 'manual', user: 'demo-phone' },
];

interface ResourceStatistics {
  readonly data: readonly { readonly provider: Record<string, Record<string, { readonly sent_count: number | null }>> }[];
}

/** Sources of the demo that are not linked, or from which nothing has arrived. */
async function sourcesWithoutData(url: string, apiKey: string): Promise<string[]> {
  const without: string[] = [];
  for (const { slug, user } of others) {
    const { user_id: userId } = await get<{ user_id: string }>(`${url}/v2/user/resolve/${user}`, apiKey);
    const { providers } = await get<{ providers: { slug: string; status: string }[] }>(`${url}/v2/user/providers/${userId}`, apiKey);
    const { data } = await get<ResourceStatistics>(`${url}/v2/introspect/resources?user_id=${userId}&provider=${slug}`, apiKey);
    const isLinked = providers.some((provider) => provider.slug === slug && provider.status === 'connected');
    const hasData = Object.values(data[0]?.provider[slug] ?? {}).some(({ sent_count: sent }) => (sent ?? 0) > 0);
    if (!isLinked || !hasData) without.push(slug);
  }
  return without;
}

describe('npm start', () => {
  test('delivers verifiable webhooks, links every provider, resumes after SIGKILL, and stops on Ctrl-C', { timeout: 400_000 }, async () => {
    // A retry of this test starts with an empty folder too.
    dataDir = await makeFolder();
    const first = new NpmStart();
    const url = await first.printed(/Pulsewire ready: (\S+)/);
    const apiKey = await first.printed(/API key of the sandbox team: (\S+)/);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
    await first.printed(/(Linked 5 of 5 users)/);
    // The next steps are printed without waiting for links and the lab order.
    expect(first.output.split('Linked 5 of 5 users')[0]).toMatch(/curl -s -H "x-service-api-key[^]*\/link[^]*\/docs/);
    await first.printed(/(lab order of \S+ at .+: ordered, requisition_created, completed)/);
    // An endpoint that never responds delays nothing.
    expect((await postAs(`${url}/v2/team/webhook`, { url: 'http://127.0.0.1:39999/dead' }, apiKey)).status).toBe(200);
    const receiver = await first.printed(/"standardwebhooks" is at (http:\S+?)\.\n/);
    await expect.poll(() => acceptedBy(receiver), { timeout: 60_000 }).toBeGreaterThan(50);
    expect((await get<Counts>(receiver)).statistics.rejected).toBe(0);
    expect(problems, 'events that do not fit their schemas').toEqual([]);
    const users = await get<{ total: number }>(`${url}/v2/user`, apiKey);
    expect(users.total).toBeGreaterThanOrEqual(5);
    expect(await refusedLogins(url, apiKey)).toEqual(passwordProviders.map((slug) => [slug, 'provider_credential_error']));
    await first.end('SIGKILL');

    const second = new NpmStart();
    const again = await second.printed(/Pulsewire ready: (\S+)/);
    // Only the first start prints the key, so that later logs can be shared.
    await second.printed(/API key of the sandbox team: see (teamApiKey in \S+keys\.json)/);
    expect(second.output).not.toContain(apiKey);
    await second.printed(/(Continuing with 5 users)/);
    expect((await get<{ data: unknown[] }>(`${again}/v2/team/webhook`, apiKey)).data).toHaveLength(2);
    const secondReceiver = await second.printed(/"standardwebhooks" is at (http:\S+?)\.\n/);
    await expect.poll(() => acceptedBy(secondReceiver), { timeout: 60_000 }).toBeGreaterThan(0);
    await second.printed(/(Now the trackers sync)/, 180_000);
    expect(await sourcesWithoutData(again, apiKey)).toEqual([]);
    // The users of both starts are the same ones.
    expect((await get<{ total: number }>(`${again}/v2/user`, apiKey)).total).toBe(5 + new Set(others.map(({ user }) => user)).size);
    for (const { user } of others) expect(second.output).toMatch(new RegExp(`\\n  \\S.* ${user} `));
    expect(second.output).not.toContain('FAILED');

    const third = new NpmStart();
    expect(await once(third.process, 'exit')).not.toEqual([0, null]);
    expect(third.output).toContain('runs on');
    await acceptedBy(secondReceiver);
    expect(await second.end('SIGINT')).toBe(0);
    expect(problems, 'events that do not fit their schemas').toEqual([]);
    await expect(readFile(path.join(dataDir, 'postgres', 'postmaster.pid'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('refuses to run without the demo on a folder with connections to its simulators', { timeout: 60_000 }, async () => {
    const run = new NpmStart({ DEMO: 'off' });
    expect(await once(run.process, 'exit')).not.toEqual([0, null]);
    expect(run.output).toContain('npm run admin -- demo remove');
  });

  test('without the demo starts an empty service, and does not serve metrics on its public address', { timeout: 60_000 }, async () => {
    const ownDataDir = path.join(dataDir, 'without-demo');
    const apiKey = `sk_${randomBytes(24).toString('hex')}`;
    const settings = {
      BASE_URL: 'https://pulsewire.example',
      SANDBOX_USERS_MAX: '1',
      ENCRYPTION_KEYS: `7:${randomBytes(32).toString('base64')}`,
    };
    const run = new NpmStart({ DEMO: 'off', TEAM_API_KEY: apiKey, DATA_DIR: ownDataDir, ...settings });
    const url = await run.printed(/Pulsewire ready: (\S+)/);
    expect(await get<unknown[]>(`${url}/v2/providers`, apiKey)).not.toHaveLength(0);
    expect((await get<{ total: number }>(`${url}/v2/user`, apiKey)).total).toBe(0);
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
    expect((await fetch(await run.printed(/(http:\S+\/metrics)/))).status).toBe(200);
    const { user_id: userId } = (await postAs(`${url}/v2/user`, { client_user_id: 'visitor' }, apiKey).then((response) =>
      response.json(),
    )) as {
      user_id: string;
    };
    const token = (await postAs(`${url}/v2/link/token`, { user_id: userId }, apiKey).then((response) => response.json())) as {
      link_web_url: string;
    };
    expect(token.link_web_url).toMatch(/^https:\/\/pulsewire\.example\/link/);
    expect((await postAs(`${url}/v2/user`, { client_user_id: 'second' }, apiKey)).ok).toBe(false);
    // Without the demo, no address of this machine is accepted as a receiver.
    expect((await postAs(`${url}/v2/team/webhook`, { url: 'http://127.0.0.1:9/hook' }, apiKey)).status).toBe(422);
    expect(await (await fetch(`${url}/link`)).text()).toContain('This link does not work');
    expect(run.output).not.toContain('simulated');
    expect(await run.end('SIGTERM')).toBe(0);
    // The values were encrypted with the operator's key, not with that of the data folder.
    const keyless = new NpmStart({ DEMO: 'off', TEAM_API_KEY: apiKey, DATA_DIR: ownDataDir });
    expect(await once(keyless.process, 'exit')).not.toEqual([0, null]);
    expect(keyless.output).toMatch(/encrypted with other keys|key 7/i);
  });
});
