import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ProviderSimulator, SimulatedAccount } from '../kit/types.ts';
import { kardiaEntry } from './entry.ts';

let simulator: ProviderSimulator;
let ada: SimulatedAccount;

beforeAll(async () => {
  simulator = await kardiaEntry.start({ applications: [] });
  ada = simulator.addAccount({ name: 'Ada Lovelace', timeZone: 'Asia/Kolkata', historyDays: 20 });
});
afterAll(() => simulator.close());

interface Page {
  readonly totalCount: number;
  readonly data: readonly Record<string, unknown>[];
  readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
}

async function requestKey(account: SimulatedAccount, password = account.credentials.password): Promise<Response> {
  return fetch(`${simulator.url}/v1/apikey`, { method: 'POST', body: new URLSearchParams({ email: account.email, password }) });
}

async function keyOf(account: SimulatedAccount): Promise<string> {
  return ((await (await requestKey(account)).json()) as { readonly apiKey: string }).apiKey;
}

const get = (path: string, credentials: string) =>
  fetch(`${simulator.url}${path}`, { headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } });

async function allPages(path: string, key: string): Promise<readonly Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  for (let start = ''; ;) {
    const page = (await (await get(`${path}?limit=50${start}`, `${key}:`)).json()) as Page;
    found.push(...page.data);
    if (!page.pageInfo.hasNextPage) return found;
    start = `&start=${encodeURIComponent(page.pageInfo.endCursor)}`;
  }
}

test('a key is issued for the right password only, and its password is empty unless the clinic needs one', async () => {
  expect((await requestKey(ada, 'wrong')).status).toBe(401);
  const key = await keyOf(ada);
  expect((await get('/v1/patients', `${key}:`)).status).toBe(200);
  expect((await get('/v1/patients', `${key}:${ada.credentials.password}`)).status).toBe(401);
  const dora = simulator.addAccount({ name: 'Deleting Dora', timeZone: 'Europe/Berlin' });
  const other = await keyOf(dora);
  expect((await get('/v1/patients', `${other}:`)).status).toBe(401);
  expect((await get('/v1/patients', `${other}:${dora.credentials.password}`)).status).toBe(200);
});

test('cursors lead through all patients once, and through the recordings of one', async () => {
  const key = await keyOf(ada);
  const patients = await allPages('/v1/patients', key);
  expect(new Set(patients.map(({ id }) => id)).size).toBe(113);
  const own = patients.find(({ email }) => String(email).toLowerCase() === ada.email);
  const recordings = await allPages(`/v1/patients/${String(own?.['id'])}/recordings`, key);
  expect(recordings.length).toBeGreaterThan(20);
  expect(recordings.every(({ patientID }) => patientID === own?.['id'])).toBe(true);
  expect(recordings.every(({ recordedAt }) => String(recordedAt).endsWith('+05:30'))).toBe(true);
  const everyone = await allPages('/v1/recordings', key);
  expect(everyone.filter(({ patientID }) => patientID !== own?.['id'])).toHaveLength(1);
  expect((await get('/v1/recordings?limit=51', `${key}:`)).status).toBe(400);
});

test('recordings have one or six leads, older names, another layout, or their signal only when read alone', async () => {
  const key = await keyOf(ada);
  const recordings = await allPages('/v1/recordings', key);
  const text = recordings.map((recording) => JSON.stringify(recording));
  for (const part of ['"AVF":[', '"lead_I":[', '"data12L"', '"numLeads":1', '"enhanced":null'])
    expect(
      text.some((one) => one.includes(part)),
      part,
    ).toBe(true);
  const bare = recordings.find((recording) => !('data' in recording) && recording['note'] === 'After coffee');
  expect(await (await get(`/v1/recordings/${String(bare?.['id'])}`, `${key}:`)).json()).toHaveProperty('data.enhanced.samples.leadI');
});
