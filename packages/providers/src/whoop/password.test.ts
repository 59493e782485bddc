import { describe, expect, it } from 'vitest';
import { createFakeLogin, type FakeLoginResponse } from '../kit/testing/fake-login.ts';
import { defaultsOf } from '../kit/settings.ts';
import { createWhoopPassword } from './password.ts';
import { whoopSettings } from './whoop.ts';

const whoopPassword = createWhoopPassword(defaultsOf(whoopSettings));
const now = new Date('2026-03-12T16:00:00Z');
const signal = AbortSignal.timeout(60_000);
const result = (more: object = { RefreshToken: 'refresh-1' }) => ({
  body: { AuthenticationResult: { AccessToken: 'access-1', IdToken: 'id', ExpiresIn: 3600, TokenType: 'Bearer', ...more } },
});
const refusal = (type: string, status = 400) => ({ status, body: { __type: `com.amazonaws#${type}`, message: 'made up' } });
const sms = {
  body: { ChallengeName: 'SMS_MFA', Session: 'session-1', ChallengeParameters: { CODE_DELIVERY_DESTINATION: '+*******5512' } },
};
const email = {
  body: {
    ChallengeName: 'EMAIL_OTP',
    Session: 'session-1',
    ChallengeParameters: { CODE_DELIVERY_DELIVERY_MEDIUM: 'EMAIL', CODE_DELIVERY_DESTINATION: 'a***@e***' },
  },
};
const authenticator = { body: { ChallengeName: 'SOFTWARE_TOKEN_MFA', Session: 'session-1', ChallengeParameters: {} } };

function provider(
  start: FakeLoginResponse,
  response: FakeLoginResponse = {},
  me: FakeLoginResponse = { body: { user: { id: 1_234_567 } } },
) {
  return createFakeLogin(({ path, headers }) => {
    if (path.startsWith('/users-service')) return me;
    return headers?.['x-amz-target']?.endsWith('RespondToAuthChallenge') === true ? response : start;
  });
}

const login = (http: ReturnType<typeof provider>) =>
  whoopPassword.login({ http, username: 'ann@mail.example', password: 'right', region: null, now, signal });

describe('login', () => {
  it('keeps the refresh token and not the password', async () => {
    const http = provider(result());
    expect(await login(http)).toMatchObject({
      kind: 'linked',
      providerUserId: '1234567',
      tokens: { accessToken: 'access-1', refreshToken: 'refresh-1', expiresAt: new Date('2026-03-12T17:00:00Z') },
    });
    expect(http.calls[0]?.headers).toMatchObject({ 'content-type': 'application/x-amz-json-1.1' });
  });

  it.each([
    ['wrong credentials', refusal('NotAuthorizedException'), 'provider_credential_error'],
    ['an unknown user', refusal('UserNotFoundException'), 'provider_credential_error'],
    ['an address to confirm', refusal('UserNotConfirmedException'), 'provider_credential_error'],
    ['a password that must be changed', refusal('PasswordResetRequiredException'), 'provider_password_expired'],
    [
      'a password that was given by others',
      { body: { ChallengeName: 'NEW_PASSWORD_REQUIRED', Session: 's' } },
      'provider_password_expired',
    ],
    ['too many requests', refusal('TooManyRequestsException'), 'provider_api_error'],
    ['an unknown challenge', { body: { ChallengeName: 'SELECT_CHALLENGE', Session: 's' } }, 'provider_api_error'],
    ['a page that blocks robots', { status: 403 }, 'provider_api_error'],
    ['a server that is down', refusal('NotAuthorizedException', 503), 'provider_api_error'],
  ])('a login with %s has an error type of its own', async (_what, response, errorType) => {
    expect(await login(provider(response))).toMatchObject({ kind: 'refused', errorType });
  });

  it.each([{ id: 10_129 }, { user: { id: 10_129 } }, { profile: { user_id: 10_129 }, timezone_offset: '+03:00' }])(
    'finds the number of the user in %j',
    async (body) => {
      expect(await login(provider(result(), {}, { body }))).toMatchObject({ kind: 'linked', providerUserId: '10129' });
    },
  );

  it('does not link a user without a user number', async () => {
    expect(await login(provider(result(), {}, { body: { user: {} } }))).toMatchObject({ errorType: 'provider_api_error' });
  });
});

describe('a code', () => {
  const complete = async (start: FakeLoginResponse, response: FakeLoginResponse) => {
    const http = provider(start, response);
    const outcome = await login(http);
    if (outcome.kind !== 'mfa') throw new Error('No challenge');
    return { http, outcome, completed: await whoopPassword.completeMfa?.({ http, ticket: outcome.ticket, code: '123456', now, signal }) };
  };

  it.each([
    ['by SMS', sms, 'sms', 'SMS_MFA_CODE', '+*******5512'],
    ['by e-mail', email, 'email', 'EMAIL_OTP_CODE', 'a***@e***'],
    ['of an authenticator app', authenticator, 'sms', 'SOFTWARE_TOKEN_MFA_CODE', 'Code of the authenticator app'],
  ])('%s completes the login', async (_what, start, method, field, hint) => {
    const { http, outcome, completed } = await complete(start, result());
    expect(outcome).toMatchObject({ method, hint, expiresInMs: 180_000 });
    expect(completed).toMatchObject({ kind: 'linked', providerUserId: '1234567' });
    expect(http.calls[1]?.json).toMatchObject({
      Session: 'session-1',
      ChallengeResponses: { USERNAME: 'ann@mail.example', [field]: '123456' },
    });
  });

  it.each([
    ['is wrong', refusal('CodeMismatchException'), 'incorrect_mfa_code'],
    ['comes too late', refusal('ExpiredCodeException'), 'provider_credential_error'],
    ['comes when the session has ended', refusal('NotAuthorizedException'), 'provider_credential_error'],
    ['meets a server that is down', { status: 502 }, 'provider_api_error'],
  ])('a code that %s has an error type of its own', async (_what, response, errorType) => {
    expect((await complete(sms, response)).completed).toMatchObject({ kind: 'refused', errorType });
  });
});

describe('renew', () => {
  const renew = (response: FakeLoginResponse) =>
    whoopPassword.renew({ http: provider(response), renewal: 'refresh-1', account: {}, now, signal });

  it('keeps the refresh token, because the response has no new one', async () => {
    expect(await renew(result({}))).toMatchObject({ outcome: 'refreshed', tokens: { accessToken: 'access-1', refreshToken: 'refresh-1' } });
  });

  it('ends the connection only when the user has to log in', async () => {
    expect(await renew(refusal('NotAuthorizedException'))).toEqual({ outcome: 'revoked' });
    expect(await renew(refusal('PasswordResetRequiredException'))).toEqual({
      outcome: 'refused',
      errorType: 'provider_password_expired',
      isFinal: true,
    });
    const overTried = { status: 400, body: { __type: 'NotAuthorizedException', message: 'Password attempts exceeded' } };
    for (const response of [overTried, { status: 400, body: {} }, { status: 403 }])
      expect(await renew(response)).toMatchObject({ outcome: 'unclear', retryable: true });
    expect(await renew(refusal('TooManyRequestsException'))).toMatchObject({ outcome: 'unclear', retryable: true });
    expect(await renew({ status: 500 })).toMatchObject({ outcome: 'unclear', reason: 'http_500' });
  });
});
