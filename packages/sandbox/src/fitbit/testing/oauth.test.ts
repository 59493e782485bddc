import { minuteMs } from '@pulsewire/kernel';
import { afterEach, describe, expect, test } from 'vitest';
import { approveAuthorization } from '../../kit/oauth/approve-authorization.ts';
import { application, errorTypeOf, startSimulator, type Tokens } from './client.ts';

let close: () => Promise<void> = async () => {};
afterEach(() => close());

async function start(options: Parameters<typeof startSimulator>[0] = {}) {
  const started = await startSimulator(options);
  close = () => started.simulator.close();
  return started;
}

describe('authorization', () => {
  test('the page shows accounts and scopes as a form, and escapes the link’s parameters', async () => {
    const { authorizeUrl } = await start();
    const page = await (await fetch(authorizeUrl({ state: '"><script>' }))).text();
    expect(page).toContain('<input type="radio" name="account" value="Ada" checked>');
    expect(page).toContain('<input type="checkbox" name="granted" value="sleep" checked>');
    expect(page).not.toContain('<script>');
  });

  test('a denied consent comes back as access_denied with the state', async () => {
    const { authorizeUrl } = await start();
    const location = new URL(await approveAuthorization(authorizeUrl(), { account: 'Ada', decision: 'deny' }));
    expect(location.searchParams.get('error')).toBe('access_denied');
    expect(location.searchParams.get('state')).toBe('kept');
  });

  test('an unknown redirect URI is never redirected to', async () => {
    const { authorizeUrl } = await start();
    const response = await fetch(authorizeUrl({ redirect_uri: 'http://evil.example/' }), { redirect: 'manual' });
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
  });

  test('an unticked scope is not granted and is forbidden at the API', async () => {
    const { exchange, api } = await start();
    const tokens = await exchange('Ada', ['profile', 'sleep']);
    expect(tokens.scope).toBe('profile sleep');
    const refused = await api('/1/user/-/activities/date/2026-11-19.json', tokens);
    expect([refused.status, await errorTypeOf(refused)]).toEqual([403, 'insufficient_scope']);
  });
});

describe('code', () => {
  const form = (code: string, verifier: string) => ({
    grant_type: 'authorization_code',
    code,
    redirect_uri: application.redirectUris[0] as string,
    code_verifier: verifier,
  });

  test('a code works once', async () => {
    const { code, token, verifier } = await start();
    const issued = await code();
    expect((await token(form(issued, verifier))).status).toBe(200);
    expect(await errorTypeOf(await token(form(issued, verifier)))).toBe('invalid_grant');
  });

  test('a code expires after ten minutes', async () => {
    const { code, token, verifier, time } = await start();
    const issued = await code();
    time.advance(10 * minuteMs + 1);
    expect(await errorTypeOf(await token(form(issued, verifier)))).toBe('invalid_grant');
  });

  test('a wrong verifier is rejected, and consumes the code', async () => {
    const { code, token, verifier } = await start();
    const issued = await code();
    expect(await errorTypeOf(await token(form(issued, 'x'.repeat(64))))).toBe('invalid_grant');
    expect(await errorTypeOf(await token(form(issued, verifier)))).toBe('invalid_grant');
  });

  test('a wrong client secret is invalid_client', async () => {
    const { code, token, verifier } = await start();
    const response = await token(form(await code(), verifier), `Basic ${Buffer.from('CLIENT:wrong').toString('base64')}`);
    expect([response.status, await errorTypeOf(response)]).toEqual([401, 'invalid_client']);
  });
});

describe('refresh', () => {
  test('a repeated refresh returns the same pair within two minutes, later invalid_grant', async () => {
    const { exchange, refresh, time } = await start();
    const first = await exchange();
    const pair = (await (await refresh(first.refresh_token)).json()) as Tokens;
    expect(pair.refresh_token).not.toBe(first.refresh_token);
    time.advance(2 * minuteMs);
    const again = (await (await refresh(first.refresh_token)).json()) as Tokens;
    expect([again.access_token, again.refresh_token]).toEqual([pair.access_token, pair.refresh_token]);
    time.advance(1);
    const late = await refresh(first.refresh_token);
    expect([late.status, await errorTypeOf(late)]).toEqual([400, 'invalid_grant']);
    expect((await refresh(pair.refresh_token)).status).toBe(200);
  });

  test('an access token lasts eight hours, and a faster clock shortens the reported lifetime', async () => {
    const { exchange, api, time } = await start({ speed: 60 });
    const tokens = await exchange();
    expect(tokens.expires_in).toBe(8 * 60);
    time.advance(8 * minuteMs - 1);
    expect((await api('/1/user/-/profile.json', tokens)).status).toBe(200);
    time.advance(1);
    const late = await api('/1/user/-/profile.json', tokens);
    expect([late.status, await errorTypeOf(late)]).toEqual([401, 'expired_token']);
  });

  test('a client recovers from a response lost after the rotation by repeating the call', async () => {
    const { exchange, refresh, simulator } = await start();
    const first = await exchange();
    simulator.faults.force('token_rotated_then_500');
    expect((await refresh(first.refresh_token)).status).toBe(500);
    simulator.faults.force('token_rotated_then_cut');
    await expect(refresh(first.refresh_token).then((response) => response.text())).rejects.toThrow();
    const healed = (await (await refresh(first.refresh_token)).json()) as Tokens;
    expect((await refresh(healed.refresh_token)).status).toBe(200);
  });

  test('an ambiguous 400 has no error type and keeps the refresh token valid', async () => {
    const { exchange, refresh, simulator } = await start();
    const first = await exchange();
    simulator.faults.force('token_ambiguous_400');
    const response = await refresh(first.refresh_token);
    expect([response.status, await errorTypeOf(response)]).toEqual([400, undefined]);
    expect((await refresh(first.refresh_token)).status).toBe(200);
  });
});

test('revoking one token of a consent ends the other, and introspection reports it', async () => {
  const { exchange, refresh, api, simulator } = await start();
  const [kept, ended] = [await exchange(), await exchange()];
  const introspect = async (token: string) =>
    (await (await api('/1.1/oauth2/introspect', kept, { method: 'POST', body: new URLSearchParams({ token }) })).json()) as {
      active: boolean;
      user_id?: string;
    };
  expect(await introspect(ended.access_token)).toMatchObject({ active: true, user_id: kept.user_id });
  const authorization = `Basic ${Buffer.from('CLIENT:secret').toString('base64')}`;
  await fetch(simulator.endpoints.revokeUrl, {
    method: 'POST',
    headers: { authorization },
    body: new URLSearchParams({ token: ended.refresh_token }),
  });
  expect(await introspect(ended.access_token)).toEqual({ active: false });
  expect(await errorTypeOf(await refresh(ended.refresh_token))).toBe('invalid_grant');
  expect((await api('/1/user/-/profile.json', kept)).status).toBe(200);
});
