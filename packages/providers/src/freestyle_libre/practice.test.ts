import { describe, expect, it } from 'vitest';
import { freestylePractice } from './practice.ts';
import { createFakeLogin, type FakeLoginResponse } from '../kit/testing/fake-login.ts';
import type { LoginRequest } from '../kit/types/connector.ts';

const practice = { clientId: 'practice@mail.example', clientSecret: 'right' };
const now = new Date('2026-03-12T12:00:00Z');
const signal = AbortSignal.timeout(60_000);
const expires = 1_800_000_000;

type Responses = Readonly<Record<string, FakeLoginResponse | ((request: LoginRequest) => FakeLoginResponse)>>;
const libreview = (responses: Responses) =>
  createFakeLogin((request) => {
    const response = responses[request.path];
    return typeof response === 'function' ? response(request) : (response ?? { status: 404, body: { message: 'none' } });
  });
const inside: FakeLoginResponse = {
  body: { status: 0, data: { user: { id: 'pro', accountType: 'hcp' }, authTicket: { token: 'practice-token', expires, duration: 1 } } },
};
const redirect = (region: string): FakeLoginResponse => ({ body: { status: 0, data: { redirect: true, region } } });
const stepTo = (type: string): FakeLoginResponse => ({ body: { status: 4, data: { step: { type }, authTicket: { token: 'i' } } } });
const patient = (id: string): FakeLoginResponse => ({ body: { status: 0, data: { patient: { id } } } });
const refused: FakeLoginResponse = { body: { status: 2, error: { message: 'notAuthenticated' } } };
const locked: FakeLoginResponse = { body: { status: 429, data: { data: { lockout: 300 }, message: 'locked' } } };

const admit = (http: ReturnType<typeof libreview>, region: string | null = null, patientId = 'p-1') =>
  freestylePractice.admit({ http, practice, patientId, region, now, signal });

describe('admitting a patient', () => {
  it('logs in and looks up the patient in the practice’s region, whatever the patient’s own', async () => {
    const http = libreview({
      '/auth/login': ({ region }) => (region === 'eu' ? inside : redirect('eu')),
      '/patients/p-1': patient('p-1'),
    });
    expect(await admit(http, 'us')).toEqual({
      kind: 'admitted',
      providerUserId: 'p-1',
      tokens: {
        accessToken: 'practice-token',
        refreshToken: 'practice',
        expiresAt: new Date(expires * 1000),
        scopes: null,
        providerUserId: 'p-1',
      },
      account: { region: 'eu', patient_id: 'p-1', time_zone: 'Etc/GMT-14' },
    });
    expect(http.calls.map(({ path, region }) => [path, region])).toEqual([
      ['/auth/login', 'us'],
      ['/auth/login', 'eu'],
      ['/patients/p-1', 'eu'],
    ]);
    expect(http.calls[0]).toMatchObject({ headers: { product: 'lv' }, json: { email: practice.clientId, password: 'right' } });
    expect(http.calls.at(-1)?.headers).toMatchObject({ authorization: 'Bearer practice-token' });
  });

  it.each([
    ['a wrong password of the practice', refused, 'provider_credential_error', /practice's e-mail address and password/],
    ['a code that no user can enter', stepTo('2faVerify'), 'provider_credential_error', /asks the practice for a code/],
    ['terms to accept', stepTo('tou'), 'provider_credential_error', /log in to it/],
    ['a password that has expired', stepTo('resetPassword'), 'provider_password_expired', /change it/],
    ['a lock', locked, 'provider_api_error', /300 seconds/],
    ['an unknown region', redirect('mars'), 'unsupported_region', /region/],
    ['a bot-protection page', { status: 403 }, 'provider_api_error', /403/],
  ])('reports %s to the operator and requests no patient', async (_what, response, errorType, message) => {
    const http = libreview({ '/auth/login': response });
    expect(await admit(http)).toMatchObject({ kind: 'refused', errorType, message: expect.stringMatching(message) });
    expect(http.calls.filter(({ path }) => path !== '/auth/login')).toEqual([]);
  });

  it.each([
    ['unknown to the practice', { status: 404, body: { message: 'not found' } }, 'provider_credential_error'],
    ['not readable', { status: 403, body: { message: 'forbidden' } }, 'provider_credential_error'],
    ['refused in the body', { body: { status: 4, error: { message: 'couldNotLoadPatient' } } }, 'provider_credential_error'],
    ['another patient in the response', patient('p-2'), 'provider_api_error'],
    ['a server that is down', { status: 503 }, 'provider_api_error'],
  ])('rejects a patient: %s', async (_what, response, errorType) => {
    expect(await admit(libreview({ '/auth/login': inside, '/patients/p-1': response }))).toMatchObject({ kind: 'refused', errorType });
  });

  it('sends no id that would change the path', async () => {
    const http = libreview({ '/auth/login': inside });
    expect(await admit(http, null, '../user')).toMatchObject({ errorType: 'provider_credential_error' });
    expect(http.calls).toEqual([]);
  });

  it('lists only regions with a known host', () => {
    const { regions } = freestylePractice;
    expect(['us', 'eu', 'de', 'gb', 'br', 'ca', 'au', 'fr'].filter((region) => !regions?.includes(region))).toEqual([]);
    expect(['kr', 'in', 'za', 'sg', 'mars'].filter((region) => regions?.includes(region))).toEqual([]);
  });
});

describe('renewing', () => {
  const renew = (response: Responses[string], account: Readonly<Record<string, unknown>> = { region: 'eu', patient_id: 'p-1' }) =>
    freestylePractice.renew({ http: libreview({ '/auth/login': response ?? {} }), practice, account, now, signal });

  it('logs the practice in again', async () => {
    expect(await renew(inside)).toMatchObject({
      outcome: 'refreshed',
      tokens: { accessToken: 'practice-token', refreshToken: 'practice' },
    });
  });

  it.each([
    ['a wrong password', refused, 'practice_refused', 3_600_000],
    ['a code', stepTo('2faVerify'), 'practice_asked_for_code', 3_600_000],
    ['a privacy notice to accept', stepTo('pp'), 'practice_must_act', 3_600_000],
    ['a lock', locked, 'practice_locked', 300_000],
    ['a move to another region', ({ region }: LoginRequest) => (region === 'us' ? inside : redirect('us')), 'practice_moved', 3_600_000],
  ])(
    'does not end a connection, because no user withdrew consent: %s waits for the operator',
    async (_what, response, reason, retryAfterMs) => {
      expect(await renew(response)).toEqual({ outcome: 'unclear', retryable: true, reason, retryAfterMs });
    },
  );

  it('waits for the time in Retry-After', async () => {
    expect(await renew({ status: 429, headers: { 'retry-after': '9' } })).toMatchObject({ outcome: 'unclear', retryAfterMs: 9000 });
  });
});
