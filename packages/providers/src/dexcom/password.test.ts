import { describe, expect, it } from 'vitest';
import { createFakeLogin, type FakeLoginResponse } from '../kit/testing/fake-login.ts';
import type { LoginRequest } from '../kit/types/connector.ts';
import { defaultsOf } from '../kit/settings.ts';
import { createDexcomPassword } from './password.ts';
import { dexcomSettings } from './dexcom.ts';

const dexcomPassword = createDexcomPassword(defaultsOf(dexcomSettings));
const now = new Date('2026-03-12T16:00:00Z');
const signal = AbortSignal.timeout(60_000);
const accountId = '3f0c1de5-0000-4000-8000-000000000001';
const sessionId = '3f0c1de5-0000-4000-8000-000000000002';
const nobody = '00000000-0000-0000-0000-000000000000';
const good = ({ path }: LoginRequest): FakeLoginResponse => ({
  body: path.endsWith('AuthenticatePublisherAccount') ? accountId : sessionId,
});
const code = (Code: string, Message = '') => ({ status: 500, body: { Code, Message, SubCode: '<x/>', TypeName: 'FaultException' } });

function login(respond: (request: LoginRequest) => FakeLoginResponse, region: string | null = null) {
  const http = createFakeLogin(respond);
  const outcome = dexcomPassword.login({ http, username: 'wearer', password: 'right', region, now, signal });
  return { http, outcome };
}

describe('login', () => {
  it('finds the account, opens a session, and stores the credentials for the next one', async () => {
    const { http, outcome } = login(good);
    expect(await outcome).toMatchObject({
      kind: 'linked',
      providerUserId: accountId,
      account: { region: 'us' },
      tokens: { accessToken: sessionId, expiresAt: null, refreshToken: JSON.stringify({ accountId, password: 'right' }) },
    });
    expect(http.calls.map(({ region }) => region)).toEqual(['us', 'us']);
  });

  it.each([
    ['de', 'ous', 'd89443d2-327c-4a6f-89e5-496bbb0317db'],
    ['eu', 'ous', 'd89443d2-327c-4a6f-89e5-496bbb0317db'],
    ['jp', 'jp', 'd8665ade-9673-4e27-9ff6-92db4ce13d13'],
    ['us', 'us', 'd89443d2-327c-4a6f-89e5-496bbb0317db'],
  ])('logs in an account with region %s at %s', async (region, place, applicationId) => {
    const { http, outcome } = login(good, region);
    expect(await outcome).toMatchObject({ account: { region: place } });
    expect(http.calls.map((call) => [call.region, (call.json as { applicationId: string }).applicationId])).toEqual([
      [place, applicationId],
      [place, applicationId],
    ]);
  });

  it.each([
    ['a wrong password', code('AccountPasswordInvalid')],
    ['an older code for a wrong password', code('SSO_AuthenticatePasswordInvalid')],
    ['a lock', code('SSO_AuthenticateMaxAttemptsExceeded')],
    [
      'an internal error that reports failed authentication',
      code('SSO_InternalError', 'Cannot Authenticate by AccountName. Application was …'),
    ],
    ['a malformed name', code('InvalidArgument', 'accountName')],
    ['an id of zeros', { body: nobody }],
  ])('treats %s as wrong credentials', async (_what, response) => {
    expect(await login(() => response).outcome).toMatchObject({ kind: 'refused', errorType: 'provider_credential_error' });
  });

  it.each([
    ['an unknown code', code('SSO_InternalError', 'Out of cheese')],
    ['an error page', { status: 502 }],
    ['a bot-protection page', { status: 200 }],
    ['another shape', { body: { sessionId } }],
  ])('treats %s as a failure of the provider', async (_what, response) => {
    expect(await login(() => response).outcome).toMatchObject({ kind: 'refused', errorType: 'provider_api_error' });
  });
});

describe('renew', () => {
  const renewal = JSON.stringify({ accountId, password: 'right' });
  const renew = (response: FakeLoginResponse) =>
    dexcomPassword.renew({ http: createFakeLogin(() => response), renewal, account: { region: 'ous' }, now, signal });

  it('opens a new session with one call and keeps the credentials', async () => {
    expect(await renew({ body: sessionId })).toMatchObject({
      outcome: 'refreshed',
      tokens: { accessToken: sessionId, refreshToken: renewal },
    });
  });

  it('rejects the renewal only when the credentials are certainly wrong', async () => {
    const refused = { outcome: 'refused', errorType: 'provider_credential_error', isFinal: false };
    expect(await renew(code('AccountPasswordInvalid'))).toEqual(refused);
    expect(await renew({ body: nobody })).toEqual(refused);
    for (const status of [400, 401, 403]) expect(await renew({ status })).toMatchObject({ outcome: 'unclear', retryable: true });
    expect(await renew({ status: 503 })).toMatchObject({ outcome: 'unclear', retryable: true, reason: 'http_503' });
    expect(await renew(code('SSO_AuthenticateMaxAttemptsExceeded'))).toMatchObject({ outcome: 'unclear', retryAfterMs: 3_600_000 });
  });
});
