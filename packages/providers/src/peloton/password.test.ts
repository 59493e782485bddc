import { describe, expect, it } from 'vitest';
import { createFakeLogin, type FakeLoginResponse } from '../kit/testing/fake-login.ts';
import { defaultsOf } from '../kit/settings.ts';
import type { LoginRequest } from '../kit/types/connector.ts';
import { createPelotonPassword } from './password.ts';
import { pelotonSettings } from './peloton.ts';

const password = createPelotonPassword(defaultsOf(pelotonSettings));
const call = {
  username: 'ada',
  password: 'right',
  region: null,
  now: new Date('2026-03-12T12:00:00Z'),
  signal: AbortSignal.timeout(10_000),
};
const auth = 'https://auth.onepeloton.com';
const codeUrl = 'https://members.onepeloton.com/callback?code=the-code&state=mine';

const loginPage = { headers: { 'set-cookie': '_csrf=token; Path=/usernamepassword/login; HttpOnly' } };
const tokens = { access_token: 'access', refresh_token: 'refresh', expires_in: 172_800 };

function responseOf(request: LoginRequest, given: FakeLoginResponse, page: FakeLoginResponse): FakeLoginResponse {
  const responses: Readonly<Record<string, FakeLoginResponse>> = {
    '/authorize': { status: 302, headers: { location: '/login?state=theirs' } },
    '/login': page,
    '/usernamepassword/login': given,
    '/oauth/token': { body: tokens },
    '/api/me': { body: { id: 'ff00' } },
  };
  return responses[new URL(request.path, auth).pathname] ?? { status: 404 };
}

const signIn = async (given: FakeLoginResponse, page: FakeLoginResponse = loginPage) => {
  const http = createFakeLogin((request) => {
    const response = responseOf(request, given, page);
    return { ...response, url: new URL(request.path, auth).toString() };
  });
  return { outcome: await password.login({ ...call, http }), calls: http.calls };
};

describe('signing in', () => {
  it('sends the login page’s state and cookie, and a PKCE challenge for the code', async () => {
    const { outcome, calls } = await signIn({ status: 302, headers: { location: codeUrl } });
    expect(outcome).toMatchObject({ kind: 'linked', providerUserId: 'ff00', tokens: { accessToken: 'access', refreshToken: 'refresh' } });
    const [requested, , login, exchange] = calls;
    expect(login?.headers).toMatchObject({ cookie: '_csrf=token', referer: `${auth}/login?state=theirs` });
    expect(login?.json).toMatchObject({ state: 'theirs', _csrf: 'token', username: 'ada', code_challenge_method: 'S256' });
    const challenge = new URL(requested?.path ?? '', auth).searchParams.get('code_challenge');
    expect(login?.json).toMatchObject({ code_challenge: challenge });
    expect(exchange?.json).toMatchObject({ grant_type: 'authorization_code', code: 'the-code' });
  });

  it('is rejected only by a JSON body; a blocking page does not mean a wrong password', async () => {
    expect((await signIn({ status: 401, body: { code: 'invalid_user_password' } })).outcome).toMatchObject({
      errorType: 'provider_credential_error',
    });
    expect((await signIn({ status: 403 })).outcome).toMatchObject({ errorType: 'provider_api_error' });
  });

  it.each([
    [{ status: 429, body: { code: 'too_many_attempts' } }, 'too_many_attempts'],
    [{ status: 401, body: { code: 'too_many_attempts', description: 'Your account has been blocked' } }, 'too_many_attempts'],
    [{ status: 400, body: { code: 'invalid_captcha' } }, 'invalid_captcha'],
    [{ status: 403, body: { error: 'access_denied', description: 'Suspicious request requires verification' } }, 'access_denied'],
  ])('does not blame the password for %j, and names the reason', async (given, code) => {
    expect((await signIn(given)).outcome).toMatchObject({ errorType: 'provider_api_error', message: expect.stringContaining(code) });
  });

  it('sends the cookie of the path of the login, also when another of the same name is set', async () => {
    const cookies = '_csrf=token; Path=/usernamepassword/login; HttpOnly; Secure, _csrf=other; Path=/passwordless; HttpOnly';
    const { calls } = await signIn({ status: 302, headers: { location: codeUrl } }, { headers: { 'set-cookie': cookies } });
    expect(calls[2]).toMatchObject({ headers: { cookie: '_csrf=token' }, json: { _csrf: 'token' } });
  });
});

it('keeps the refresh token when a renewal returns no new one, and ends on invalid_grant', async () => {
  const renew = (given: FakeLoginResponse) => password.renew({ ...call, http: createFakeLogin(() => given), renewal: 'old', account: {} });
  expect(await renew({ body: { access_token: 'next', expires_in: 60 } })).toMatchObject({
    outcome: 'refreshed',
    tokens: { refreshToken: 'old' },
  });
  expect(await renew({ status: 403, body: { error: 'invalid_grant' } })).toEqual({ outcome: 'revoked' });
  expect(await renew({ status: 403 })).toMatchObject({ outcome: 'unclear' });
});
