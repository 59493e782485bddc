import { createHash, createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import { createManualClock } from '@pulsewire/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entryOf } from '../kit/create-simulator.ts';
import type { ProviderSimulator, SimulatedAccount } from '../kit/types.ts';
import { tandemDefinition } from './definition.ts';

const verifier = 'a-verifier-that-is-long-enough-for-everyone';
const clientId = '0oa4wnbvtladeyVZX4h7';
const redirectUri = 'https://sso.tandemdiabetes.com/auth/callback';
let simulator: ProviderSimulator;
let ada: SimulatedAccount;

interface LogEvent {
  readonly eventCode: number;
  readonly sequenceNumber: number;
  readonly pumpDateTime: string;
  readonly eventProperties?: Readonly<Record<string, unknown>>;
}

beforeAll(async () => {
  // Four days after the clocks went forward.
  const clock = createManualClock(new Date('2026-03-12T16:00:00Z'));
  simulator = await entryOf(tandemDefinition).start({ applications: [], clock });
  ada = simulator.addAccount({ name: 'Ada Lovelace', timeZone: 'America/New_York', historyDays: 40 });
});
afterAll(() => simulator.close());

const accounts = (host: string) => `${simulator.url}/${host}/accounts/api`;

function sendPassword(host: string, password: string): Promise<Response> {
  return fetch(`${accounts(host)}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', referer: 'https://sso.tandemdiabetes.com/' },
    body: JSON.stringify({ username: ada.credentials.username, password }),
  });
}

/** Signs in as a browser does; returns the response with the tokens. */
async function signIn(): Promise<{ readonly access_token: string; readonly id_token: string }> {
  const cookie = (await sendPassword('tdcservices', ada.credentials.password)).headers.get('set-cookie')?.split(';')[0] ?? '';
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    scope: 'openid profile email',
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const first = await fetch(`${accounts('tdcservices')}/connect/authorize?${query.toString()}`, {
    redirect: 'manual',
    headers: { cookie },
  });
  const next = new URL(first.headers.get('location') ?? '', simulator.url);
  const second = await fetch(next, { redirect: 'manual', headers: { cookie } });
  const code = new URL(second.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const body = { grant_type: 'authorization_code', client_id: clientId, code, redirect_uri: redirectUri, code_verifier: verifier };
  const response = await fetch(`${accounts('tdcservices')}/connect/token`, { method: 'POST', body: new URLSearchParams(body) });
  return (await response.json()) as { readonly access_token: string; readonly id_token: string };
}

async function read(path: string, headers?: Readonly<Record<string, string>>): Promise<Response> {
  const { access_token: token } = await signIn();
  const ownPage = { origin: 'https://source.tandemdiabetes.com', referer: 'https://source.tandemdiabetes.com/' };
  return fetch(`${simulator.url}/source/api/reports/bff/${path}`, {
    headers: { authorization: `Bearer ${token}`, ...(headers ?? ownPage) },
  });
}

const logPath = (assignmentId: string, first: string, last: string, more = '&eventCodes=399') =>
  `pump-logs/${assignmentId}?pumperId=${ada.providerUserId}&startDate=${first}T00:00:00Z&endDate=${last}T23:59:59Z${more}`;

async function pumps(): Promise<readonly { readonly assignmentId: string; readonly maxDateOfEvents: string | null }[]> {
  return ((await (await read(`pumper/${ada.providerUserId}`)).json()) as { pumps: [] }).pumps;
}

test('a login ends with an id token that the published key verifies and that names the person', async () => {
  const { id_token: idToken } = await signIn();
  const [header = '', payload = '', signature = ''] = idToken.split('.');
  const jwks = (await (await fetch(`${accounts('tdcservices')}/.well-known/openid-configuration/jwks`)).json()) as { keys: JsonWebKey[] };
  const key = createPublicKey({ key: jwks.keys[0] ?? {}, format: 'jwk' });
  expect(verify('RSA-SHA256', Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
  expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ pumperId: ada.providerUserId, aud: clientId });
});

test('a wrong password, the other region and the sixth attempt are rejected', async () => {
  expect(await (await sendPassword('tdcservices', 'wrong')).json()).toMatchObject({ code: 'account/invalid_credentials' });
  expect((await sendPassword('tdcservices-eu', ada.credentials.password)).status).toBe(401);
  for (let attempt = 0; attempt < 4; attempt++) await sendPassword('tdcservices', 'wrong');
  const locked = await sendPassword('tdcservices', ada.credentials.password);
  expect([locked.status, await locked.text()]).toEqual([401, 'Max attempted logins exceeded']);
  ada = simulator.addAccount({ name: 'Grace Hopper', timeZone: 'America/New_York', historyDays: 40 });
});

test('data needs the headers of the web page, the present parameters, and at most 28 days at a time', async () => {
  expect((await read(`pumper/${ada.providerUserId}`, {})).status).toBe(403);
  const [pump] = await pumps();
  const id = pump?.assignmentId ?? '';
  expect(await (await read(logPath(id, '2026-03-10', '2026-03-11', '&eventIds=399'))).json()).toMatchObject({ name: 'ZodError' });
  expect((await read(logPath(id, '2026-02-01', '2026-03-11'))).status).toBe(400);
  expect((await read(`../reportsfacade/${ada.providerUserId}/pumpeventmetadata`)).status).toBe(404);
});

test('a pump replaced on March 9 keeps its days, and the log of March 8 lacks the skipped hour', async () => {
  const [present, former, ...others] = await pumps();
  expect(others.map(({ maxDateOfEvents }) => maxDateOfEvents)).toEqual([null, '2035-01-01T00:00:00']);
  const log = async (id = '') =>
    (await (await read(logPath(id, '2026-03-08', '2026-03-10'))).json()) as { events: LogEvent[]; clockChanges: LogEvent[] };
  const [before, after] = [await log(former?.assignmentId), await log(present?.assignmentId)];
  expect(before.clockChanges).toHaveLength(1);
  expect(before.events.every(({ pumpDateTime }) => pumpDateTime < '2026-03-09')).toBe(true);
  expect(before.events.some(({ pumpDateTime }) => pumpDateTime.startsWith('2026-03-08T02'))).toBe(false);
  expect(new Set(after.events.map(({ pumpDateTime }) => pumpDateTime.slice(0, 10)))).toEqual(
    new Set(['2026-03-09', '2026-03-10', '2026-03-11']),
  );
  const codes = new Set(after.events.map(({ eventCode }) => eventCode));
  for (const code of [16, 20, 21, 64, 65, 66, 279, 280, 9001, 9002]) expect(codes, String(code)).toContain(code);
  expect(new Set(after.events.map(({ sequenceNumber }) => sequenceNumber)).size).toBe(after.events.length);
});
