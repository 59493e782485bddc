import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { utcDay } from '@pulsewire/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entryOf } from '../kit/create-simulator.ts';
import { approveAuthorization } from '../kit/oauth/approve-authorization.ts';
import type { ProviderSimulator, SimulatedAccount } from '../kit/types.ts';
import { myFitnessPalV2Definition } from './definition.ts';

const redirectUri = 'http://127.0.0.1/callback';
const client = { client_id: 'APP', client_secret: 'app-secret' };
let simulator: ProviderSimulator;
let ada: SimulatedAccount;
let token: string;

type Item = Readonly<Record<string, unknown>>;

async function tokens(fields: Readonly<Record<string, string>>): Promise<{ readonly status: number; readonly body: Item }> {
  const body = new URLSearchParams({ ...client, redirect_uri: redirectUri, ...fields });
  const response = await fetch(simulator.endpoints.tokenUrl ?? '', { method: 'POST', body });
  return { status: response.status, body: (await response.json()) as Item };
}

async function link(name: string): Promise<Item> {
  const query = new URLSearchParams({
    ...client,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'diary measurements subscriptions',
  });
  const back = await approveAuthorization(`${simulator.endpoints.authorizeUrl}?${query.toString()}`, { account: name });
  const code = new URL(back).searchParams.get('code') ?? '';
  return (await tokens({ grant_type: 'authorization_code', code })).body;
}

const headers = () => ({ authorization: `Bearer ${token}`, 'mfp-client-id': 'APP' });

async function read(path: string, given: Readonly<Record<string, string>> = headers()) {
  const url = path.startsWith('http') ? path : `${simulator.endpoints.apiBaseUrl}${path}`;
  const response = await fetch(url, { headers: given });
  return {
    status: response.status,
    link: response.headers.get('link'),
    retry: response.headers.get('retry-after'),
    text: await response.text(),
  };
}

async function itemsOf(path: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const { link: links, text } = await read(next);
    items.push(...(JSON.parse(text) as { readonly items: readonly Item[] }).items);
    next = /<([^>]+)>; rel=next/.exec(links ?? '')?.[1];
  }
  return items;
}

beforeAll(async () => {
  const applications = [{ clientId: 'APP', clientSecret: 'app-secret', redirectUris: [redirectUri] }];
  simulator = await entryOf(myFitnessPalV2Definition).start({ applications, pushRetryMs: 1 });
  ada = simulator.addAccount({ name: 'Ada Lovelace', timeZone: 'Europe/Berlin', historyDays: 40 });
  token = String((await link('Ada Lovelace'))['access_token']);
});
afterAll(() => simulator.close());

const dates = Array.from({ length: 30 }, (_, index) => utcDay(Date.now() - (index + 2) * 86_400_000));

test('every page after the first is reachable only through the Link header', async () => {
  const path = `/v2/diary?types=diary_meal,exercise,steps_aggregate,steps&max_items=2&entry_date=${dates[1]}`;
  await read(path);
  const first = JSON.parse((await read(path)).text) as { readonly items: readonly Item[] };
  expect(first.items).toHaveLength(2);
  const all = await itemsOf(path);
  expect(all.length).toBeGreaterThan(2);
  expect(new Set(all.map((item) => JSON.stringify(item))).size).toBe(all.length);
  expect((await read(`/v2/diary?max_items=101&entry_date=${dates[1]}`)).status).toBe(400);
});

test('objects are in a response only where fields names them, and absent values stay null', async () => {
  for (const date of dates) await read(`/v2/diary?entry_date=${date}`);
  const bare = (await Promise.all(dates.map((date) => itemsOf(`/v2/diary?entry_date=${date}`)))).flat();
  expect(bare.filter((item) => 'energy' in item || 'nutritional_contents' in item)).toEqual([]);
  expect(bare.some((item) => item['start_time'] === null)).toBe(true);
  const fields = ['energy', 'exercise', 'distance', 'nutritional_contents'].map((name) => `&fields[]=${name}`).join('');
  const whole = (await Promise.all(dates.map((date) => itemsOf(`/v2/diary?entry_date=${date}${fields}`)))).flat();
  expect(whole.find((item) => item['device_id'] === 'watch-0001' && item['type'] === 'exercise')).toMatchObject({
    energy: { unit: 'kilojoules' },
    distance: { unit: 'miles' },
  });
  expect(whole.some((item) => typeof (item['exercise'] as Item | undefined)?.['id'] === 'number')).toBe(true);
});

test('a call without the client header, for another user or of an unknown type is rejected by name', async () => {
  expect(await read('/v2/diary?entry_date=2026-01-01', { authorization: `Bearer ${token}` })).toMatchObject({ status: 400 });
  expect((await read('/v2/diary?entry_date=2026-01-01', { ...headers(), 'mfp-user-id': '1' })).status).toBe(404);
  const { status, text } = await read('/v2/diary?entry_date=2026-01-01&types=food_entry');
  expect({ status, ...(JSON.parse(text) as Item) }).toMatchObject({ status: 400, error: 'unsupported-diary-type' });
  expect(JSON.parse((await read('/v2/measurements?entry_date=2026-01-01&types=waist')).text)).toMatchObject({ error: 'measurement/101' });
});

test('the first reading of some days is rejected without saying when to try again', async () => {
  token = String((await link('Ada Lovelace'))['access_token']);
  const refused = (await Promise.all(dates.map((date) => read(`/v2/diary?entry_date=${date}`)))).filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every(({ retry }) => retry === null)).toBe(true);
});

test('a refresh needs the user id, and revoking needs the application in the Authorization header', async () => {
  const first = await link('Ada Lovelace');
  expect(first['user_id']).toBe(Number(ada.providerUserId));
  const refresh = { grant_type: 'refresh_token', refresh_token: String(first['refresh_token']) };
  expect((await tokens(refresh)).status).toBe(400);
  expect((await tokens({ ...refresh, user_id: ada.providerUserId })).body).toMatchObject({ user_id: ada.providerUserId });
  const revoke = (authorization: string) =>
    fetch(simulator.endpoints.revokeUrl ?? '', {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams({ ...client, token: refresh.refresh_token }),
    });
  const before = ada.consents();
  expect((await revoke('')).status).toBe(401);
  expect((await revoke(`Basic ${btoa('APP:app-secret')}`)).status).toBe(200);
  expect(ada.consents()).toBe(before - 1);
});

test('only changes of subscribed users are announced, many in one list with addresses that work', async () => {
  const bodies: string[] = [];
  const receiver = createServer((request, response) => {
    request.on('data', (chunk: Buffer) => bodies.push(chunk.toString()));
    request.on('end', () => response.writeHead(202).end());
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  try {
    const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/push/segment`;
    expect(await simulator.pushes?.registerPush('APP', { callbackUrl, verificationCode: 'code' })).toBe(true);
    ada.revise();
    await simulator.pushes?.settled();
    expect(bodies).toEqual([]);
    const created = await fetch(`${simulator.endpoints.apiBaseUrl}/v2/subscriptions`, { method: 'POST', headers: headers() });
    expect(created.status).toBe(201);
    ada.revise();
    await simulator.pushes?.settled();
    const notices = JSON.parse(bodies.join('')) as readonly Record<string, string>[];
    const steps = notices.find(({ item_type: type }) => type === 'diary_steps');
    expect(notices.length).toBeGreaterThan(1);
    expect(JSON.parse((await read(steps?.['item_url'] ?? '')).text)).toMatchObject({ item: { type: 'steps' } });
  } finally {
    receiver.close();
  }
});
