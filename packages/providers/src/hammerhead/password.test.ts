import { describe, expect, it } from 'vitest';
import { createFakeLogin, type FakeLoginResponse } from '../kit/testing/fake-login.ts';
import type { LoginRequest } from '../kit/types/connector.ts';
import { hammerhead } from './connector.ts';

const now = new Date('2026-05-14T12:00:00Z');
const signal = AbortSignal.timeout(10_000);
const jwt = `e30.${Buffer.from(JSON.stringify({ sub: '123456' })).toString('base64url')}.s`;
const tokens = { status: 200, body: { access_token: jwt, refresh_token: 'r1', expires_in: 3600 } };
const refused = { status: 403, body: { error: 'invalid_grant', error_description: 'Wrong email or password.' } };

function login(responses: Readonly<Record<string, FakeLoginResponse>>) {
  const http = createFakeLogin(({ path }: LoginRequest) => responses[path] ?? { status: 404 });
  const outcome = hammerhead.password?.login({ http, username: 'Ada@Mail.example', password: 'secret', region: null, now, signal });
  return { http, outcome };
}

describe('signing in', () => {
  it('exchanges the tokens of SRAM for those of the dashboard', async () => {
    const sram = { status: 200, body: { access_token: 'a', refresh_token: 'b' } };
    const { http, outcome } = login({
      '/oauth/token': sram,
      '/auth/sram/mobile/token': { ...tokens, body: { ...tokens.body, token: jwt } },
    });
    expect(await outcome).toMatchObject({ kind: 'linked', providerUserId: '123456', account: { way: 'sram' } });
    expect(http.calls[0]).toMatchObject({ region: 'login', json: { username: 'ada@mail.example' } });
    expect(http.calls[1]).toMatchObject({ json: { accessToken: 'a', refreshToken: 'b' } });
  });

  it('keeps the refresh token of SRAM when the exchange brings none', async () => {
    const sram = { status: 200, body: { access_token: 'sramA', refresh_token: 'sramR', expires_in: 86_400 } };
    const exchange = { status: 200, body: { access_token: jwt, expires_in: 3600 } };
    const { outcome } = login({ '/oauth/token': sram, '/auth/sram/mobile/token': exchange });
    expect(await outcome).toMatchObject({ kind: 'linked', tokens: { refreshToken: 'sramR' } });
  });

  it('is refused when no refresh token is issued, because the access would end after an hour', async () => {
    const exchange = { status: 200, body: { access_token: jwt, expires_in: 3600 } };
    const { outcome } = login({ '/oauth/token': { status: 200, body: { access_token: 'sramA' } }, '/auth/sram/mobile/token': exchange });
    expect(await outcome).toMatchObject({ kind: 'refused', errorType: 'provider_api_error' });
  });

  it('falls back to the older sign-in for an account that was not moved', async () => {
    const { outcome } = login({ '/oauth/token': refused, '/auth/token': tokens });
    expect(await outcome).toMatchObject({ kind: 'linked', account: { way: 'dashboard' } });
  });

  it('blames the password only when both reject it', async () => {
    expect(await login({ '/oauth/token': refused, '/auth/token': refused }).outcome).toMatchObject({
      errorType: 'provider_credential_error',
    });
    const blocked = { status: 403, body: undefined };
    expect(await login({ '/oauth/token': blocked, '/auth/token': refused }).outcome).toMatchObject({ errorType: 'provider_api_error' });
  });
});

describe('renewing', () => {
  const renew = (way: string, response: FakeLoginResponse) => {
    const http = createFakeLogin(() => response);
    return { http, outcome: hammerhead.password?.renew({ http, renewal: 'r0', account: { way }, now, signal }) };
  };

  it.each([
    ['sram', '/auth/sram/mobile/token'],
    ['dashboard', '/auth/token'],
  ])('of an account of %s is requested at %s', async (way, path) => {
    const { http, outcome } = renew(way, tokens);
    expect(await outcome).toMatchObject({ outcome: 'refreshed', tokens: { refreshToken: 'r1' } });
    expect(http.calls[0]).toMatchObject({ path });
  });

  it('ends with a rejected refresh token, and with nothing else', async () => {
    expect(await renew('sram', { status: 401, body: { error: 'invalid_grant' } }).outcome).toEqual({ outcome: 'revoked' });
    expect(await renew('sram', { status: 401, body: { message: 'Unauthorized' } }).outcome).toMatchObject({ outcome: 'unclear' });
  });
});
