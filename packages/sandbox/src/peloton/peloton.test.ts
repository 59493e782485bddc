import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { entryOf } from '../kit/create-simulator.ts';
import type { ProviderSimulator, SimulatedAccount } from '../kit/types.ts';
import { pelotonDefinition } from './definition.ts';

const clientId = 'WVoJxVDdPoFx4RNewvvg6ch2mZ7bwnsM';
const verifier = 'a-verifier-that-is-long-enough-for-everyone';
let simulator: ProviderSimulator;

beforeAll(async () => {
  simulator = await entryOf(pelotonDefinition).start({ applications: [] });
});
afterAll(() => simulator.close());

/** What a browser does up to the password: returns the state of the page and the cookie. */
async function openPage(): Promise<{ readonly state: string; readonly csrf: string }> {
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: 'https://members.onepeloton.com/callback',
    audience: 'https://api.onepeloton.com/',
    response_type: 'code',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'mine',
  });
  const response = await fetch(`${simulator.url}/auth-host/authorize?${query.toString()}`, { redirect: 'manual' });
  const state = new URL(response.headers.get('location') ?? '').searchParams.get('state') ?? '';
  return { state, csrf: /_csrf=(\w+)/.exec(response.headers.get('set-cookie') ?? '')?.[1] ?? '' };
}

async function sendPassword(account: SimulatedAccount, password: string): Promise<Response> {
  const { state, csrf } = await openPage();
  return fetch(`${simulator.url}/auth-host/usernamepassword/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json', cookie: `other=1; _csrf=${csrf}` },
    body: JSON.stringify({ state, _csrf: csrf, connection: 'pelo-user-password', username: account.credentials.username, password }),
  });
}

async function codeFrom(location: string | null): Promise<string> {
  const response = await fetch(location ?? '', { redirect: 'manual' });
  return new URL(response.headers.get('location') ?? '').searchParams.get('code') ?? '';
}

async function post(path: string, body: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const response = await fetch(`${simulator.url}${path}`, { method: 'POST', redirect: 'manual', body: new URLSearchParams(body) });
  return response.status === 302
    ? { location: response.headers.get('location') ?? '' }
    : ((await response.json()) as Record<string, string>);
}

const exchange = (code: string) =>
  post('/auth-host/oauth/token', { grant_type: 'authorization_code', client_id: clientId, code, code_verifier: verifier });

test('a sign-in ends with a code by redirect for some people, and by a form for others', async () => {
  const dora = simulator.addAccount({ name: 'Deleting Dora', timeZone: 'Europe/Berlin' });
  const redirected = await sendPassword(dora, dora.credentials.password);
  expect(redirected.status).toBe(302);
  expect(await exchange(await codeFrom(redirected.headers.get('location')))).toHaveProperty('refresh_token');

  const ada = simulator.addAccount({ name: 'Ada Lovelace', timeZone: 'America/New_York' });
  const page = await (await sendPassword(ada, ada.credentials.password)).text();
  const fields = [...page.matchAll(/name="(wa|wresult|wctx)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    value.replaceAll('&#34;', '"').replaceAll('&amp;', '&'),
  ]);
  const { location = '' } = await post('/auth-host/login/callback', Object.fromEntries(fields) as Record<string, string>);
  expect(await exchange(await codeFrom(location))).toMatchObject({ token_type: 'Bearer' });
});

test('a wrong password and a grant of the type password are rejected with JSON', async () => {
  const ada = simulator.addAccount({ name: 'Ada Lovelace', timeZone: 'America/New_York' });
  const refused = await sendPassword(ada, 'wrong');
  expect(refused.status).toBe(401);
  expect(await refused.json()).toMatchObject({ code: 'invalid_user_password' });
  expect(await post('/auth-host/oauth/token', { grant_type: 'password', client_id: clientId })).toMatchObject({
    error: 'unauthorized_client',
  });
});
