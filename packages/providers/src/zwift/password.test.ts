import { describe, expect, it } from 'vitest';
import { createFakeLogin, type FakeLoginResponse } from '../kit/testing/fake-login.ts';
import { defaultsOf } from '../kit/settings.ts';
import { createZwiftPassword } from './password.ts';
import { zwiftSettings } from './zwift.ts';

const zwiftPassword = createZwiftPassword(defaultsOf(zwiftSettings));
const now = new Date('2026-03-12T16:00:00Z');
const signal = AbortSignal.timeout(60_000);
const tokens = { access_token: 'access-1', refresh_token: 'refresh-1', expires_in: 21_600, refresh_expires_in: 0, token_type: 'bearer' };
const invalidGrant = (status: number) => ({ status, body: { error: 'invalid_grant', error_description: 'Invalid user credentials' } });

function login(token: FakeLoginResponse, me: FakeLoginResponse = { body: { id: 1_234_567 } }) {
  const http = createFakeLogin(({ path }) => (path === '/api/profiles/me' ? me : token));
  const outcome = zwiftPassword.login({ http, username: 'ann@mail.example', password: 'right', region: null, now, signal });
  return { http, outcome };
}

describe('login', () => {
  it('keeps the refresh token and not the password; the number of the rider comes from the profile', async () => {
    const { http, outcome } = login({ body: tokens });
    expect(await outcome).toEqual({
      kind: 'linked',
      providerUserId: '1234567',
      account: { client_id: 'Zwift Game Client' },
      tokens: {
        accessToken: 'access-1',
        refreshToken: 'refresh-1',
        expiresAt: new Date('2026-03-12T22:00:00Z'),
        scopes: null,
        providerUserId: null,
      },
    });
    expect(http.calls.map(({ region = null }) => region)).toEqual(['login', null]);
  });

  it('distinguishes wrong credentials from a provider failure', async () => {
    const errorOf = async (...responses: Parameters<typeof login>) => ({ ...(await login(...responses).outcome) });
    expect(await errorOf(invalidGrant(401))).toMatchObject({ errorType: 'provider_credential_error' });
    expect(await errorOf({ status: 401, body: { error: 'invalid_client' } })).toMatchObject({ errorType: 'provider_api_error' });
    expect(await errorOf({ status: 403 })).toMatchObject({ errorType: 'provider_api_error' });
    expect(await errorOf({ body: {} })).toMatchObject({ errorType: 'provider_api_error' });
    expect(await errorOf({ body: tokens }, { status: 503 })).toMatchObject({ errorType: 'provider_api_error' });
  });
});

describe('revoke', () => {
  const revoke = async (response: FakeLoginResponse) => {
    const http = createFakeLogin(() => response);
    await zwiftPassword.revoke?.({ http, renewal: 'refresh-1', signal });
    return http.calls;
  };

  it('logs out at the account server; an unknown token counts as revoked', async () => {
    expect(await revoke({ status: 204 })).toMatchObject([
      {
        method: 'POST',
        path: '/auth/realms/zwift/tokens/logout',
        region: 'login',
        form: { client_id: 'Zwift Game Client', refresh_token: 'refresh-1' },
      },
    ]);
    const both = await revoke(invalidGrant(400));
    expect(both.map(({ form }) => form?.['client_id'])).toEqual(['Zwift Game Client', 'Zwift_Mobile_Link']);
  });

  it('fails with a retryable error when the server is down', async () => {
    await expect(revoke({ status: 503 })).rejects.toMatchObject({ code: 'provider_transient', retryable: true });
  });
});

describe('renew', () => {
  const renew = (response: FakeLoginResponse) =>
    zwiftPassword.renew({ http: createFakeLogin(() => response), renewal: 'refresh-1', account: {}, now, signal });

  it('keeps the old refresh token when the response has no new one', async () => {
    expect(await renew({ body: { ...tokens, refresh_token: undefined } })).toMatchObject({ tokens: { refreshToken: 'refresh-1' } });
    expect(await renew({ body: { ...tokens, refresh_token: 'refresh-2' } })).toMatchObject({ tokens: { refreshToken: 'refresh-2' } });
  });

  it('uses the client id that the refresh token was issued to, even if the setting changed', async () => {
    const requested = async (account: Record<string, unknown>, owner: string) => {
      const http = createFakeLogin(({ form }) => (form?.['client_id'] === owner ? { body: tokens } : invalidGrant(400)));
      const renewed = await zwiftPassword.renew({ http, renewal: 'refresh-1', account, now, signal });
      return [renewed.outcome, http.calls.map(({ form }) => form?.['client_id'])];
    };
    expect(await requested({ client_id: 'Other Client' }, 'Other Client')).toEqual(['refreshed', ['Other Client']]);
    // A connection that was linked before the client id was stored.
    expect(await requested({}, 'Zwift_Mobile_Link')).toEqual(['refreshed', ['Zwift_Mobile_Link']]);
    expect(await requested({}, 'Zwift Game Client')).toEqual(['refreshed', ['Zwift_Mobile_Link', 'Zwift Game Client']]);
    expect(await requested({}, 'nobody')).toEqual(['revoked', ['Zwift_Mobile_Link', 'Zwift Game Client']]);
  });

  it('ends the connection only for an invalid refresh token', async () => {
    expect(await renew(invalidGrant(400))).toEqual({ outcome: 'revoked' });
    for (const response of [{ status: 401 }, { status: 403 }, { status: 401, body: { error: 'invalid_client' } }])
      expect(await renew(response)).toMatchObject({ outcome: 'unclear', retryable: true });
    expect(await renew({ status: 400, body: {} })).toMatchObject({ outcome: 'unclear', retryable: true });
    expect(await renew({ status: 503, headers: { 'retry-after': '30' } })).toMatchObject({ outcome: 'unclear', retryAfterMs: 30_000 });
  });
});
