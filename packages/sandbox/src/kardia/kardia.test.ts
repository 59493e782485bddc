import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createManualClock } from '@pulsewire/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kardiaDefinition } from './definition.ts';
import { entryOf } from '../kit/create-simulator.ts';
import type { ProviderSimulator, SimulatedAccount } from '../kit/types.ts';

let simulator: ProviderSimulator;
let ada: SimulatedAccount;
const clock = createManualClock(new Date('2026-03-12T16:00:00Z'));

beforeAll(async () => {
  simulator = await entryOf(kardiaDefinition).start({ applications: [], clock });
  ada = simulator.addAccount({ name: 'Ada Lovelace', timeZone: 'Asia/Kolkata', historyDays: 20 });
});
afterAll(() => simulator.close());

interface Page {
  readonly totalCount: number;
  readonly data: readonly Record<string, unknown>[];
  readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
}

const get = (path: string, credentials: string) =>
  fetch(`${simulator.url}${path}`, { headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } });

async function allPages(path: string): Promise<readonly Record<string, unknown>[]> {
  const key = ada.credentials.password;
  const found: Record<string, unknown>[] = [];
  for (let start = ''; ;) {
    const page = (await (await get(`${path}?limit=50${start}`, `${key}:`)).json()) as Page;
    found.push(...page.data);
    if (!page.pageInfo.hasNextPage) return found;
    start = `&start=${encodeURIComponent(page.pageInfo.endCursor)}`;
  }
}

test('a key is accepted as the user name with an empty password, in its region', async () => {
  const key = ada.credentials.password;
  expect((await get('/v1/patients', `${key}:`)).status).toBe(200);
  for (const wrong of ['other:', `${key}:${key}`, key]) expect((await get('/v1/patients', wrong)).status, wrong).toBe(401);
  expect((await get('/eu/v1/patients', `${key}:`)).status).toBe(401);
});

test('cursors lead through all patients once, and through the recordings of one', async () => {
  const patients = await allPages('/v1/patients');
  expect(new Set(patients.map(({ id }) => id)).size).toBe(513);
  const own = patients.find(({ email }) => String(email).toLowerCase() === ada.email);
  const recordings = await allPages(`/v1/patients/${String(own?.['id'])}/recordings`);
  expect(recordings.length).toBeGreaterThan(20);
  expect(recordings.every(({ patientID }) => patientID === own?.['id'])).toBe(true);
  expect(recordings.every(({ recordedAt }) => String(recordedAt).endsWith('+05:30'))).toBe(true);
  const everyone = await allPages('/v1/recordings');
  expect(everyone.filter(({ patientID }) => patientID !== own?.['id'])).toHaveLength(1);
  expect((await get('/v1/recordings?limit=51', `${ada.credentials.password}:`)).status).toBe(400);
});

test('recordings have one or six leads, older names, another layout, or their signal only when read alone', async () => {
  const recordings = await allPages('/v1/recordings');
  const text = recordings.map((recording) => JSON.stringify(recording));
  for (const part of ['"AVF":[', '"lead_I":[', '"data12L"', '"numLeads":1', '"enhanced":null'])
    expect(
      text.some((one) => one.includes(part)),
      part,
    ).toBe(true);
  const bare = recordings.find((recording) => !('data' in recording) && recording['note'] === 'After coffee');
  expect(await (await get(`/v1/recordings/${String(bare?.['id'])}`, `${ada.credentials.password}:`)).json()).toHaveProperty(
    'data.enhanced.samples.leadI',
  );
});

test('the callback of a clinic gets an empty call, then those of a patient who comes, records and leaves', async () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      bodies.push(body);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const headers = { authorization: `Basic ${Buffer.from(`${ada.credentials.password}:`).toString('base64')}` };
  const put = (address: string) =>
    fetch(`${simulator.url}/v1/callback`, { method: 'PUT', headers, body: new URLSearchParams({ url: address }) });
  const before = await allPages('/v1/recordings');
  expect((await put('nowhere')).status).toBe(400);
  expect(await (await put(url)).json()).toEqual({ url });
  expect(await (await get('/v1/callback', `${ada.credentials.password}:`)).json()).toEqual({ url });
  simulator.addAccount({ name: 'Another Clinic', timeZone: 'Asia/Kolkata', historyDays: 2 });
  clock.advance(86_400_000);
  for (const account of simulator.accounts) account.makeNewData();
  await simulator.pushes?.settled();
  const known = new Set(before.map(({ id }) => id));
  const added = (await allPages('/v1/recordings')).filter(({ id }) => !known.has(id));
  expect(added.length).toBeGreaterThan(0);
  const own = (eventType: string) => ({ eventType, customParticipantId: added[0]?.['patientID'] });
  const recorded = added.map(() => own('newRecording'));
  const expected = [null, own('participantConnected'), ...recorded, own('participantDisconnected')];
  expect(bodies.map((body) => (body === '' ? null : (JSON.parse(body) as unknown)))).toEqual(expected);
  server.close();
});
