import { createPublicKey, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { utcDay } from '@pulsewire/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { googleHealthDefinition } from './definition.ts';
import { googleHealthScopes } from './scopes.ts';
import { entryOf } from '../kit/create-simulator.ts';
import { approveAuthorization } from '../kit/oauth/approve-authorization.ts';
import type { ProviderSimulator, SimulatedAccount } from '../kit/types.ts';

const redirectUri = 'http://127.0.0.1/callback';
const client = { client_id: 'APP', client_secret: 'app-secret', redirect_uri: redirectUri };
let simulator: ProviderSimulator;
let ada: SimulatedAccount;
let token: string;

interface Page {
  readonly dataPoints?: readonly Record<string, Record<string, unknown>>[];
  readonly nextPageToken?: string;
}

async function link(name: string): Promise<Record<string, string>> {
  const query = new URLSearchParams({ ...client, response_type: 'code', scope: googleHealthScopes.join(' ') });
  const back = await approveAuthorization(`${simulator.endpoints.authorizeUrl}?${query.toString()}`, { account: name });
  const code = new URL(back).searchParams.get('code') ?? '';
  return tokens({ grant_type: 'authorization_code', code });
}

async function tokens(fields: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const body = new URLSearchParams({ ...client, ...fields });
  return (await fetch(simulator.endpoints.tokenUrl ?? '', { method: 'POST', body })).json() as Promise<Record<string, string>>;
}

const headers = () => ({ authorization: `Bearer ${token}` });

async function read(path: string, query: Readonly<Record<string, string>> = {}): Promise<Page> {
  const response = await fetch(`${simulator.url}/v4/users/me/${path}?${new URLSearchParams(query).toString()}`, { headers: headers() });
  return (await response.json()) as Page;
}

async function post(path: string, body: object): Promise<unknown> {
  const url = `${simulator.url}/v4/users/me/${path}`;
  return (await fetch(url, { method: 'POST', headers: headers(), body: JSON.stringify(body) })).json();
}

beforeAll(async () => {
  const applications = [{ clientId: 'APP', clientSecret: 'app-secret', redirectUris: [redirectUri] }];
  simulator = await entryOf(googleHealthDefinition).start({ applications, pushRetryMs: 1 });
  ada = simulator.addAccount({ name: 'Ada Lovelace', timeZone: 'Europe/Berlin', historyDays: 40 });
  token = (await link('Ada Lovelace'))['access_token'] ?? '';
});
afterAll(() => simulator.close());

const daysAgo = (days: number): string => utcDay(Date.now() - days * 86_400_000);
const civil = (date: string) => {
  const [year, month, day] = date.split('-').map(Number);
  return { date: { year, month, day } };
};

test('a refresh returns no new refresh token; an account without a profile is rejected with the reason', async () => {
  const first = await link('Ada Lovelace');
  const again = await tokens({ grant_type: 'refresh_token', refresh_token: first['refresh_token'] ?? '' });
  expect(again).toMatchObject({ expires_in: 3599, token_type: 'Bearer' });
  expect(again).not.toHaveProperty('refresh_token');
  simulator.addAccount({ name: 'Unlinked Una', timeZone: 'Europe/Berlin' });
  const { access_token: access } = await link('Unlinked Una');
  const refused = await fetch(`${simulator.url}/v4/users/me/identity`, { headers: { authorization: `Bearer ${access}` } });
  expect(refused.status).toBe(400);
  expect(await refused.json()).toMatchObject({ error: { details: [{ reason: 'ACCOUNT_NOT_LINKED' }] } });
});

test('a filter with a wrong member, operator or literal is rejected with its exact reason in the metadata', async () => {
  const filters = {
    DATA_TYPE_MEMBER: 'sleep.interval.start_time >= "2026-01-01T00:00:00Z"',
    COMPARATOR: 'sleep.interval.end_time > "2026-01-01T00:00:00Z"',
    LITERAL: 'sleep.interval.end_time >= "2026-01-01"',
    TIME_RANGE: 'sleep.interval.civil_end_time >= "2026-01-01" AND sleep.interval.civil_end_time < "2026-01-01"',
    SYNTAX: 'sleep.interval.civil_end_time >= "2026-01-01" and sleep.interval.civil_end_time < "2026-01-02"',
  };
  for (const [word, filter] of Object.entries(filters))
    expect(await read('dataTypes/sleep/dataPoints', { filter }), word).toMatchObject({
      error: {
        code: 400,
        status: 'INVALID_ARGUMENT',
        details: [{ reason: 'INVALID_DATA_POINT_FILTER', metadata: { detailedReasons: `INVALID_DATA_POINT_FILTER_${word}` } }],
      },
    });
});

test('nights come in pages of 25 at most, of which one is empty and still has a token', async () => {
  const filter = `sleep.interval.civil_end_time >= "${daysAgo(35)}" AND sleep.interval.civil_end_time < "${daysAgo(0)}"`;
  const sizes: number[] = [];
  let pageToken = '';
  do {
    const page = await read('dataTypes/sleep/dataPoints', { filter, pageSize: '1000', pageToken });
    sizes.push(page.dataPoints?.length ?? 0);
    pageToken = page.nextPageToken ?? '';
  } while (pageToken !== '' && sizes.length < 9);
  expect(sizes.slice(0, 2)).toEqual([25, 0]);
  // Naps come besides the 35 nights.
  expect(sizes.reduce((sum, size) => sum + size)).toBeGreaterThan(45);
  expect(Math.max(...sizes)).toBe(25);
});

test('days are rolled up newest first, and a range of instants is rejected without a reason', async () => {
  const range = { start: civil(daysAgo(60)), end: civil(daysAgo(30)) };
  const rolled = (await post('dataTypes/steps/dataPoints:dailyRollUp', { range, windowSizeDays: 1 })) as {
    readonly rollupDataPoints: readonly { readonly civilStartTime: object; readonly steps: { readonly countSum: string } }[];
  };
  // Days before the account was made are missing.
  expect(rolled.rollupDataPoints.length).toBeLessThan(13);
  expect(rolled.rollupDataPoints[0]?.civilStartTime).toEqual({ ...civil(daysAgo(31)), time: {} });
  expect(rolled.rollupDataPoints[0]?.steps.countSum).toBe(String(ada.truth?.day(daysAgo(31))?.steps));
  const refused = (await post('dataTypes/steps/dataPoints:dailyRollUp', { range: { startTime: 'x' } })) as {
    readonly error: { readonly code: number; readonly details: readonly object[] };
  };
  expect(refused.error.code).toBe(400);
  expect(refused.error.details[0]).not.toHaveProperty('reason');
});

test('points of Health Connect have no offset, only the list has every source, and no baseline is NaN', async () => {
  const day = `steps.interval.civil_start_time >= "${daysAgo(3)}" AND steps.interval.civil_start_time < "${daysAgo(2)}"`;
  const raw = await read('dataTypes/steps/dataPoints', { filter: day });
  const bare = raw.dataPoints?.filter((point) => point['dataSource']?.['platform'] === 'HEALTH_CONNECT') ?? [];
  expect(bare.length).toBeGreaterThan(0);
  expect(Object.keys(bare[0]?.['steps']?.['interval'] ?? {})).toEqual(['startTime', 'endTime']);
  const merged = await read('dataTypes/steps/dataPoints:reconcile', { filter: day });
  const total = merged.dataPoints?.reduce((sum, point) => sum + Number(point['steps']?.['count']), 0);
  expect(total).toBe(ada.truth?.day(daysAgo(3))?.steps);
  const filter = `daily_sleep_temperature_derivations.date >= "${daysAgo(7)}" AND daily_sleep_temperature_derivations.date < "${daysAgo(1)}"`;
  const nights = await read('dataTypes/daily-sleep-temperature-derivations/dataPoints', { filter });
  const baselines = nights.dataPoints?.map((point) => point['dailySleepTemperatureDerivations']?.['baselineTemperatureCelsius']);
  expect(baselines).toContain('NaN');
  expect(baselines).toContain(33);
});

test('the handshake needs a refusal without the secret, and the public key verifies notifications', async () => {
  const received: { readonly signature: string; readonly body: string }[] = [];
  let isOpen = true;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      const isKnown = isOpen || request.headers.authorization === 'Bearer code';
      const isHandshake = body.includes('verification');
      if (!isHandshake) received.push({ signature: String(request.headers['google-health-api-signature']), body });
      response.writeHead(isKnown ? (isHandshake ? 201 : 204) : 401).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const callbackUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/push`;
    const address = { callbackUrl, verificationCode: 'code' };
    expect(await simulator.pushes?.registerPush('APP', address)).toBe(false);
    isOpen = false;
    expect(await simulator.pushes?.registerPush('APP', address)).toBe(true);
    ada.revise();
    await simulator.pushes?.settled();
    const { signature = '', body = '' } = received[0] ?? {};
    expect(JSON.parse(body)).toContainEqual({ data: expect.objectContaining({ dataType: 'sleep', operation: 'UPSERT' }) });
    const keys = await fetch(`${simulator.url}/googlehealthapi/webhooks/webhooks_public_keyset.json`);
    const { key } = (await keys.json()) as {
      readonly key: readonly { readonly keyId: number; readonly keyData: { readonly value: string } }[];
    };
    const bytes = Buffer.from(signature, 'base64');
    expect([bytes[0], bytes.readUInt32BE(1)]).toEqual([1, key[0]?.keyId]);
    // Behind the parameters come two coordinates of 33 bytes, each with a tag and a length.
    const point = Buffer.from(key[0]?.keyData.value ?? '', 'base64').subarray(8);
    const [x, y] = [point.subarray(3, 35).toString('base64url'), point.subarray(38, 70).toString('base64url')];
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
    expect(verify('sha256', Buffer.from(body), publicKey, bytes.subarray(5))).toBe(true);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

test('swims have lengths with strokes, naps have no stages of a night, and devices come in pages', async () => {
  const within = (member: string) => `${member} >= "${daysAgo(12)}" AND ${member} < "${daysAgo(0)}"`;
  const lengths = await read('dataTypes/swim-lengths-data/dataPoints', { filter: within('swim_lengths_data.interval.civil_start_time') });
  expect(lengths.dataPoints?.[0]?.['swimLengthsData']).toMatchObject({ strokeCount: expect.stringMatching(/^\d+$/) as string });
  const nights = await read('dataTypes/sleep/dataPoints', { filter: within('sleep.interval.civil_end_time') });
  const types = nights.dataPoints?.map(({ sleep }) => sleep?.['type']);
  expect(new Set(types)).toEqual(new Set(['STAGES', 'CLASSIC', undefined]));
  const devices = (await read('pairedDevices')) as { readonly pairedDevices?: readonly object[]; readonly nextPageToken?: string };
  expect(devices).toMatchObject({
    pairedDevices: [{ deviceType: 'TRACKER' }, { deviceType: 'SCALE' }],
    nextPageToken: expect.any(String) as string,
  });
});
