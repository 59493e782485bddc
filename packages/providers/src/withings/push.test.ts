import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { providerError } from '../kit/http/provider-error.ts';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import type { LoginResponse, LoginRequest, ProviderErrorCode, RawPush } from '../kit/types/connector.ts';
import { findWithingsRefusal, readTokenError } from './classify.ts';
import { withingsPush } from './push.ts';
import { revokeWithings } from './revoke.ts';
import { subscribeWithings } from './subscribe.ts';

const pushOf = (form: Readonly<Record<string, string>>, method = 'POST'): RawPush => ({
  method,
  query: {},
  headers: {},
  body: Buffer.from(new URLSearchParams(form).toString()),
});
const noticesOf = (form: Readonly<Record<string, string>>) => withingsPush.parse(pushOf(form)).notices;

describe('Withings’ notifications', () => {
  it('cover all days that their range may touch in any time zone', () => {
    expect(noticesOf({ userid: '363', appli: '1', startdate: '1746090000', enddate: '1746091800' })).toEqual([
      { kind: 'changed', providerUserId: '363', collection: '1', window: { startDate: '2025-04-30', endDate: '2025-05-01' } },
    ]);
    expect(noticesOf({ userid: '363', appli: '44', date: '2025-05-01' })).toMatchObject([
      { collection: '44', window: { startDate: '2025-05-01', endDate: '2025-05-01' } },
    ]);
  });

  it('report that a user has unlinked us, and nothing when only the profile changed', () => {
    for (const action of ['unlink', 'delete'])
      expect(noticesOf({ userid: '363', appli: '46', action })).toEqual([{ kind: 'revoked', providerUserId: '363' }]);
    expect(noticesOf({ userid: '363', appli: '46', action: 'update' })).toEqual([]);
    expect(noticesOf({ userid: '363', appli: '50', date: '2025-05-01' })).toEqual([]);
  });

  it.each(['%00', '%ff', '%ed%a0%80'])('are unreadable when they decode to text that cannot be stored: %s', (broken) => {
    const body = Buffer.from(`userid=363${broken}&appli=44&date=2025-05-01`);
    expect(() => withingsPush.parse({ ...pushOf({}), body })).toThrow(expect.objectContaining({ code: 'push_unreadable' }));
  });

  it('are limited in size, and reported when unreadable', () => {
    expect(noticesOf({ userid: '363', appli: '1', startdate: '0', enddate: '1746093600' })).toMatchObject([
      { window: { startDate: '2024-04-29' } },
    ]);
    expect(withingsPush.parse(pushOf({ userid: '363', appli: '1', startdate: '9', enddate: '1' }))).toEqual({
      notices: [],
      unreadable: [{ reason: 'bad_time', pointer: '/enddate' }],
    });
  });

  it('get a response to the HEAD request for the address', () => {
    expect(withingsPush.handshake(pushOf({}, 'HEAD'), { verificationCode: null })).toEqual({ status: 200, body: '' });
    expect(withingsPush.handshake(pushOf({}), { verificationCode: null })).toBeNull();
  });

  it('are subscribed once for each category that was granted', async () => {
    const callbackUrl = 'https://here.example/v2/push/withings/segment';
    const known = {
      profiles: [
        { appli: 16, callbackurl: callbackUrl },
        { appli: 44, callbackurl: 'https://old.example' },
      ],
    };
    const http = createFakeHttp(({ form }) => ({ status: 0, body: form?.['action'] === 'list' ? known : {} }));
    const user = { userId: 'u', fallbackTimeZone: null, providerUserId: '363', grantedScopes: ['user.activity', 'user.info'], account: {} };
    await subscribeWithings({ http, user, address: { callbackUrl, verificationCode: 'code' } });
    const subscribed = http.calls.filter(({ form }) => form?.['action'] === 'subscribe').map(({ form }) => form?.['appli']);
    expect(subscribed).toEqual(['44', '46']);
  });

  it('tolerate one forbidden category, and fail if all are forbidden or on another error', async () => {
    const subscribed = async (codeOf: (appli: string) => ProviderErrorCode | null) => {
      const made: string[] = [];
      const http = createFakeHttp(({ form }) => {
        const appli = form?.['appli'] ?? '';
        const code = form?.['action'] === 'subscribe' ? codeOf(appli) : null;
        if (code !== null) throw providerError(code, { status: 200 });
        if (appli !== '') made.push(appli);
        return { status: 0, body: {} };
      });
      const grantedScopes = ['user.metrics', 'user.activity', 'user.info'];
      const user = { userId: 'u', fallbackTimeZone: null, providerUserId: '363', grantedScopes, account: {} };
      await subscribeWithings({ http, user, address: { callbackUrl: 'https://here.example/', verificationCode: 'code' } });
      return made;
    };
    expect(await subscribed((appli) => (appli === '54' ? 'provider_scope_missing' : null))).toEqual(['1', '2', '4', '16', '44', '46']);
    await expect(subscribed(() => 'provider_scope_missing')).rejects.toMatchObject({ code: 'provider_scope_missing' });
    await expect(subscribed((appli) => (appli === '4' ? 'provider_transient' : null))).rejects.toMatchObject({
      code: 'provider_transient',
    });
  });
});

describe('Withings’ errors', () => {
  it('are found in the body of a response with HTTP 200', () => {
    const codeOf = (status: unknown) => findWithingsRefusal({ status: 200, headers: {}, body: { status } })?.code ?? null;
    expect([0, 401, 100, 277, 2554, 601, 522, 293, 2000, 'x'].map(codeOf)).toEqual([
      null,
      'provider_token_expired',
      'provider_token_expired',
      'provider_scope_missing',
      'provider_scope_missing',
      'provider_rate_limited',
      'provider_transient',
      'provider_permanent',
      'provider_transient',
      'provider_transient',
    ]);
  });

  it('end a consent only if they report an invalid refresh token', () => {
    const wordOf = (status: number, error: string) => readTokenError({ body: { status, error } });
    expect(wordOf(503, 'Invalid Params: invalid refresh_token')).toBe('invalid_grant');
    expect(wordOf(503, 'Service unavailable')).toBeNull();
    expect(wordOf(601, 'Too Many Request')).toBeNull();
    expect(wordOf(0, '')).toBeNull();
  });
});

describe('a Withings consent', () => {
  const application = { clientId: 'client', clientSecret: 'secret' };
  const revoke = async (statusOf: (path: string) => number) => {
    const requested: LoginRequest[] = [];
    const send = async (request: LoginRequest): Promise<LoginResponse> => {
      requested.push(request);
      return { status: 200, headers: {}, body: { status: statusOf(request.path), body: { nonce: 'once' } }, bytes: Buffer.alloc(0) };
    };
    const call = { http: { send }, application, accessToken: 'a', refreshToken: 'r', providerUserId: '363', revokeUrl: null };
    return { isGone: await revokeWithings(call), asked: requested };
  };

  it('is revoked with a nonce, in signed requests without the secret', async () => {
    const { isGone, asked } = await revoke(() => 0);
    expect(isGone).toBe(true);
    const signature = createHmac('sha256', 'secret').update('revoke,client,once').digest('hex');
    expect(asked[1]?.form).toEqual({ action: 'revoke', client_id: 'client', userid: '363', nonce: 'once', signature });
    expect(JSON.stringify(asked)).not.toContain('"secret"');
  });

  it('reports a temporary error when it cannot be revoked because Withings is down', async () => {
    await expect(revoke((path) => (path === '/v2/oauth2' ? 522 : 0))).rejects.toMatchObject({ code: 'provider_transient' });
  });
});
