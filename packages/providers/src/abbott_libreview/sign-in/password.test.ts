import { describe, expect, it } from 'vitest';
import { createFakeLogin, type FakeLoginResponse } from '../../kit/testing/fake-login.ts';
import type { AccountContext, LoginRequest } from '../../kit/types/connector.ts';
import { defaultsOf } from '../../kit/settings.ts';
import { readLibreviewAccount } from '../account.ts';
import { createLibreviewPassword } from './password.ts';
import { libreviewSettings } from '../libreview.ts';

const libreviewPassword = createLibreviewPassword(defaultsOf(libreviewSettings));
const now = new Date('2026-03-12T16:00:00Z');
const signal = AbortSignal.timeout(60_000);
const user = { id: 'user-1', twoFactor: { primaryMethod: 'phone', primaryValue: '+49170555189' } };
const inside = { body: { status: 0, data: { user, authTicket: { token: 'token-1', expires: 1_788_000_000, duration: 15_552_000_000 } } } };
const refused = { body: { status: 2, error: { message: 'notAuthenticated' } } };
const stepTo = (type: string) => ({
  body: { status: 4, data: { step: { type }, user, authTicket: { token: 'interim', duration: 600_000 } } },
});
const redirect = (region: string) => ({ body: { status: 0, data: { redirect: true, region } } });
const people = (...ids: string[]) => ({ body: { status: 0, data: ids.map((patientId) => ({ patientId })) } });

type Responses = Readonly<Record<string, FakeLoginResponse | ((request: LoginRequest) => FakeLoginResponse)>>;

function provider(responses: Responses) {
  return createFakeLogin((request) => {
    const known: Responses = { '/llu/connections': people('patient-1'), '/auth/login': refused, ...responses };
    const response = known[request.path];
    return typeof response === 'function' ? response(request) : (response ?? { status: 404 });
  });
}

const login = (http: ReturnType<typeof provider>, region: string | null = null) =>
  libreviewPassword.login({ http, username: 'ann@mail.example', password: 'right', region, now, signal });

describe('login', () => {
  it('follows redirects to the region of the account and stores it', async () => {
    const http = provider({ '/llu/auth/login': ({ region }) => (region === 'eu2' ? inside : redirect('eu2')) });
    expect(await login(http, 'gb')).toMatchObject({
      kind: 'linked',
      providerUserId: 'user-1',
      account: { region: 'eu2', patient_id: 'patient-1', account_id: expect.stringMatching(/^[0-9a-f]{64}$/) },
      tokens: { accessToken: 'token-1', expiresAt: new Date(1_788_000_000_000) },
    });
    expect(http.calls.map(({ region }) => region)).toEqual(['eu', 'eu2', 'eu2']);
    expect(http.calls.at(-1)?.headers).toMatchObject({ product: 'llu.android', version: '4.16.0', authorization: 'Bearer token-1' });
  });

  it('starts at the global address without a region, and fails on an unknown region or a redirect loop', async () => {
    const unknown = provider({ '/llu/auth/login': redirect('mars') });
    expect(await login(unknown)).toMatchObject({ errorType: 'unsupported_region' });
    expect(unknown.calls.map(({ region }) => region)).toEqual([null]);
    expect(await login(provider({ '/llu/auth/login': ({ region }) => redirect(region === 'de' ? 'fr' : 'de') }))).toMatchObject({
      errorType: 'provider_api_error',
    });
  });

  it.each([
    ['wrong credentials', refused, 'provider_credential_error'],
    ['terms to accept', stepTo('tou'), 'provider_credential_error'],
    ['a privacy notice to accept', stepTo('pp'), 'provider_credential_error'],
    ['an address to confirm', stepTo('verifyEmail'), 'provider_credential_error'],
    ['a password that must be changed', stepTo('resetPassword'), 'provider_password_expired'],
    ['a lock', { body: { status: 429, data: { data: { lockout: 300 }, message: 'locked' } } }, 'provider_credential_error'],
    ['a bot-protection page', { status: 403 }, 'provider_api_error'],
    ['a limit', { status: 429, body: { message: 'slow down' } }, 'provider_api_error'],
    ['another shape', { body: { status: 0, data: {} } }, 'provider_api_error'],
  ])('reports %s with an error type of its own', async (_what, response, errorType) => {
    expect(await login(provider({ '/llu/auth/login': response }))).toMatchObject({ kind: 'refused', errorType });
  });

  it('links an account that follows no patient, and rejects an unusable token', async () => {
    const withPeople = (response: FakeLoginResponse) => login(provider({ '/llu/auth/login': inside, '/llu/connections': response }));
    expect(await withPeople(people())).toMatchObject({ kind: 'linked' });
    expect(await withPeople({ status: 403, body: { status: 920 } })).toMatchObject({ errorType: 'provider_api_error' });
  });
});

describe('an account that follows several people', () => {
  const ann = { patientId: 'patient-a', firstName: 'Ann', lastName: ' Example\u0000' };
  const several = { body: { status: 0, data: [ann, { patientId: 'patient-b' }] } };
  const choose = (ticket: string, code: string) => libreviewPassword.completeMfa?.({ http: provider({}), ticket, code, now, signal });

  it('offers them by number, and links the chosen one without another login', async () => {
    const outcome = await login(provider({ '/llu/auth/login': inside, '/llu/connections': several }), 'de');
    expect(outcome).toMatchObject({
      kind: 'mfa',
      method: 'choice',
      hint: 'Enter the number of the person: 1 Ann Example, 2 Person 2',
      choices: [
        { value: '1', label: 'Ann Example' },
        { value: '2', label: 'Person 2' },
      ],
    });
    if (outcome.kind !== 'mfa') throw new Error('No choice');
    expect(await choose(outcome.ticket, ' 2 ')).toMatchObject({
      kind: 'linked',
      providerUserId: 'user-1',
      account: { region: 'de', patient_id: 'patient-b', account_id: expect.stringMatching(/^[0-9a-f]{64}$/) },
      tokens: { accessToken: 'token-1', expiresAt: new Date(1_788_000_000_000) },
    });
    for (const wrong of ['0', '3', '-1', 'patient-b', '1.5'])
      expect(await choose(outcome.ticket, wrong)).toMatchObject({ kind: 'refused', errorType: 'incorrect_mfa_code' });
  });

  it('offers them after a verification code too', async () => {
    const http = provider({
      '/llu/auth/login': stepTo('2faVerify'),
      '/auth/continue/2fa/sendcode': { body: { status: 0, ticket: { token: 'second' } } },
      '/auth/continue/2fa/result': inside,
      '/llu/connections': several,
    });
    const challenge = await login(http);
    if (challenge.kind !== 'mfa') throw new Error('No challenge');
    const ticket = challenge.ticket;
    expect(await libreviewPassword.completeMfa?.({ http, ticket, code: '123456', now, signal })).toMatchObject({ method: 'choice' });
  });

  it('stays linked to the chosen person, whomever it follows later', async () => {
    const read = (account: Readonly<Record<string, unknown>> | undefined, body: unknown) =>
      readLibreviewAccount({ http: { get: async () => ({ body }) }, ...(account && { previous: account }) } as unknown as AccountContext);
    expect((await read({ patient_id: 'patient-b' }, several.body)).account).toMatchObject({ patient_id: 'patient-b' });
    expect((await read({ patient_id: 'patient-b' }, people('patient-a').body)).account).toMatchObject({ patient_id: 'patient-b' });
    await expect(read(undefined, several.body)).rejects.toMatchObject({ code: 'provider_account_state' });
  });
});

describe('a verification code', () => {
  const start = async (result: Responses[string]) => {
    const http = provider({
      '/llu/auth/login': stepTo('2faVerify'),
      '/auth/continue/2fa/sendcode': { body: { status: 0, ticket: { token: 'second' } } },
      '/auth/continue/2fa/result': result ?? {},
    });
    const outcome = await login(http, 'de');
    if (outcome.kind !== 'mfa') throw new Error('No challenge');
    return {
      http,
      outcome,
      complete: () => libreviewPassword.completeMfa?.({ http, ticket: outcome.ticket, code: '123456', now, signal }),
    };
  };

  it('is sent by the account’s primary method, and its masked destination is returned', async () => {
    const { outcome, http } = await start(inside);
    expect(outcome).toMatchObject({ method: 'sms', hint: '***89', expiresInMs: 600_000 });
    expect(http.calls.at(-1)).toMatchObject({ json: { isPrimaryMethod: true }, headers: { authorization: 'Bearer interim' } });
  });

  it('is submitted with the token of the previous step, in the same region', async () => {
    const { complete, http } = await start(({ headers }) => (headers?.['authorization'] === 'Bearer second' ? inside : refused));
    expect(await complete()).toMatchObject({ kind: 'linked', account: { region: 'de' }, tokens: { accessToken: 'token-1' } });
    expect(http.calls.find(({ path }) => path.endsWith('result'))).toMatchObject({ region: 'de', json: { code: '123456' } });
  });

  it.each([
    ['is wrong', refused, 'incorrect_mfa_code'],
    ['is refused after the login has expired', { status: 401, body: { message: 'MissingOrInvalidToken' } }, 'provider_credential_error'],
    ['fails when the server is down', { status: 503 }, 'provider_api_error'],
    ['is followed by terms to accept', stepTo('tou'), 'provider_credential_error'],
  ])('a code that %s has an error type of its own', async (_what, response, errorType) => {
    expect(await (await start(response)).complete()).toMatchObject({ kind: 'refused', errorType });
  });
});

describe('renew', () => {
  const renewal = JSON.stringify({ email: 'ann@mail.example', password: 'right' });
  const renew = (response: FakeLoginResponse) =>
    libreviewPassword.renew({ http: provider({ '/llu/auth/login': response }), renewal, account: { region: 'de' }, now, signal });

  it('logs in again', async () => {
    expect(await renew(inside)).toMatchObject({ outcome: 'refreshed', tokens: { accessToken: 'token-1', refreshToken: renewal } });
  });

  it('ends the connection only when the user has to log in', async () => {
    expect(await renew(refused)).toEqual({ outcome: 'refused', errorType: 'provider_credential_error', isFinal: false });
    expect(await renew(stepTo('2faVerify'))).toEqual({ outcome: 'refused', errorType: 'provider_credential_error', isFinal: true });
    expect(await renew(stepTo('passwordExpired'))).toEqual({ outcome: 'refused', errorType: 'provider_password_expired', isFinal: true });
    // A bot-protection page is HTML, whatever its status.
    for (const status of [200, 400, 403, 429]) expect(await renew({ status })).toMatchObject({ outcome: 'unclear', retryable: true });
    expect(await renew(stepTo('tou'))).toMatchObject({ outcome: 'unclear', retryable: true, reason: 'user_must_act' });
    expect(await renew({ status: 429, headers: { 'retry-after': '9' }, body: {} })).toMatchObject({
      outcome: 'unclear',
      retryAfterMs: 9000,
    });
    expect(await renew({ status: 502 })).toMatchObject({ outcome: 'unclear', reason: 'http_502' });
  });
});
