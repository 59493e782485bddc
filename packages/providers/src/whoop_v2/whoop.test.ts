import { describe, expect, it } from 'vitest';
import { createFakeHttp, responsesFor } from '../kit/testing/fake-http.ts';
import type { LoginRequest } from '../kit/types/connector.ts';
import { readWhoopAccount } from './account.ts';
import { classifyWhoop, readWhoopQuotas, readWhoopTokenError } from './classify.ts';
import { revokeWhoop } from './connector.ts';

const granted = ['read:profile', 'read:cycles', 'read:body_measurement'];
const now = new Date('2025-04-02T12:00:00Z');
const responses = responsesFor({
  '/v2/user/profile/basic': { user_id: 10129, email: 'ada@mail.example' },
  '/v2/cycle': { records: [{ timezone_offset: '+13:00' }] },
  '/v2/user/measurement/body': { height_meter: 1.8, weight_kilogram: 80.5 },
});

describe('account', () => {
  it('requests only the user when linking, and the rest later', async () => {
    const linking = createFakeHttp(responses);
    expect(await readWhoopAccount({ http: linking, grantedScopes: granted, providerUserId: null, now })).toEqual({
      providerUserId: '10129',
      account: {},
    });
    expect(linking.paths).toEqual(['/v2/user/profile/basic']);
    expect(await readWhoopAccount({ http: createFakeHttp(responses), grantedScopes: granted, providerUserId: '10129', now })).toEqual({
      providerUserId: '10129',
      account: { time_zone: '+13:00', weight_kg: 80.5, weight_day: '2025-04-02' },
    });
  });

  it('keeps the day of an unchanged weight, and uses today for a changed one', async () => {
    const look = (kg: number) =>
      readWhoopAccount({
        http: createFakeHttp(responses),
        grantedScopes: granted,
        providerUserId: '10129',
        previous: { weight_kg: kg, weight_day: '2025-03-01' },
        now,
      });
    expect((await look(80.5)).account).toMatchObject({ weight_day: '2025-03-01' });
    expect((await look(79)).account).toMatchObject({ weight_kg: 80.5, weight_day: '2025-04-02' });
  });

  it('requests nothing that was not granted', async () => {
    const http = createFakeHttp(responses);
    expect(await readWhoopAccount({ http, grantedScopes: ['read:sleep'] })).toEqual({ providerUserId: null, account: {} });
    expect(http.paths).toEqual([]);
  });
});

describe('limits and errors', () => {
  const headers = {
    'x-ratelimit-limit': '100, 100;window=60, 10000;window=86400',
    'x-ratelimit-remaining': '98',
    'x-ratelimit-reset': '3',
  };

  it('reads the limit of the whole application with a reset in seconds', () => {
    expect(readWhoopQuotas(headers)).toEqual([{ scope: 'app', perMs: 60_000, limit: 100, remaining: 98, resetAfterMs: 3000 }]);
    expect(readWhoopQuotas({})).toEqual([]);
  });

  it('waits for the reset when no other header states the delay', () => {
    expect(classifyWhoop({ status: 429, headers, body: undefined })).toEqual({ code: 'provider_rate_limited', retryAfterMs: 3000 });
    expect(classifyWhoop({ status: 429, headers: { ...headers, 'retry-after': '7' }, body: undefined }).retryAfterMs).toBe(7000);
  });

  it('treats only invalid_request with 400 as an invalid refresh token', () => {
    expect(readWhoopTokenError({ status: 400, body: { error: 'invalid_request' } })).toBe('invalid_grant');
    expect(readWhoopTokenError({ status: 401, body: { error: 'invalid_request' } })).toBeNull();
    expect(readWhoopTokenError({ status: 400, body: { error: 'invalid_scope' } })).toBeNull();
    expect(readWhoopTokenError({ status: 400, body: undefined })).toBeNull();
  });
});

describe('revoke', () => {
  const application = { clientId: 'client', clientSecret: 'secret' };
  const call = (status: number, providerUserId: string | null) => {
    const requests: LoginRequest[] = [];
    const http = {
      async send(request: LoginRequest) {
        requests.push(request);
        return { status, headers: {}, body: undefined, bytes: Buffer.alloc(0) };
      },
    };
    return { requests, done: revokeWhoop({ http, application, accessToken: 'a1', refreshToken: 'r1', providerUserId, revokeUrl: null }) };
  };

  it('deletes the access of the user with their own token', async () => {
    const { requests, done } = call(204, '10129');
    expect(await done).toBe(true);
    expect(requests).toEqual([{ method: 'DELETE', path: '/v2/user/access', headers: { authorization: 'Bearer a1' } }]);
  });

  it('requests a fresh token instead of treating an expired one as a revoked consent', async () => {
    await expect(call(401, '10129').done).rejects.toMatchObject({ code: 'provider_token_expired' });
  });

  it('keeps the consent of an unknown user: another connection may depend on it', async () => {
    const { requests, done } = call(204, null);
    expect(await done).toBe(false);
    expect(requests).toEqual([]);
  });
});
