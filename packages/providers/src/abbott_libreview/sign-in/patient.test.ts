import { describe, expect, it } from 'vitest';
import { defaultsOf } from '../../kit/settings.ts';
import { createFakeLogin, type FakeLoginResponse } from '../../kit/testing/fake-login.ts';
import type { LoginRequest } from '../../kit/types/connector.ts';
import { libreviewSettings } from '../libreview.ts';
import { createLibreviewPassword } from './password.ts';

const now = new Date('2026-03-12T16:00:00Z');
const signal = AbortSignal.timeout(60_000);
const ticket = { token: 'token-1', expires: 1_788_000_000, duration: 15_552_000_000 };
const insideAs = (accountType: string, authTicket: object = ticket): FakeLoginResponse => ({
  body: { status: 0, data: { user: { id: 'user-1', accountType }, authTicket } },
});
const inside = insideAs('pat');
const refused: FakeLoginResponse = { body: { status: 2, error: { message: 'notAuthenticated' } } };
const redirect = (region: string): FakeLoginResponse => ({ body: { status: 0, data: { redirect: true, region } } });
const unauthorized: FakeLoginResponse = { status: 401, body: { message: 'MissingOrInvalidToken' } };
const twoFactor = { primaryMethod: 'email', primaryValue: 'ann@mail.example' };
const stepTo = (type: string): FakeLoginResponse => ({
  body: { status: 4, data: { step: { type }, user: { id: 'user-1', twoFactor }, authTicket: { token: 'interim', duration: 600_000 } } },
});
const settings: FakeLoginResponse = { body: { status: 0, data: { dataSources: {} } } };

type Responses = Readonly<Record<string, FakeLoginResponse | ((request: LoginRequest) => FakeLoginResponse)>>;

const provider = (responses: Responses) =>
  createFakeLogin((request) => {
    const known: Responses = { '/llu/auth/login': refused, '/auth/login': inside, '/reportSettings': settings, ...responses };
    const response = known[request.path];
    return typeof response === 'function' ? response(request) : (response ?? { status: 404 });
  });
type Provider = ReturnType<typeof provider>;

const supportOf = (accounts: string) => createLibreviewPassword({ ...defaultsOf(libreviewSettings), accounts });
const login = (http: Provider, accounts = 'both', region: string | null = null) =>
  supportOf(accounts).login({ http, username: 'ann@mail.example', password: 'right', region, now, signal });
const callsOf = ({ calls }: Provider) => calls.map(({ path, region }) => `${region ?? 'global'} ${path}`);

const patientAccount = { account_type: 'patient', patient_id: 'user-1', time_zone: 'Etc/GMT-14' };

describe('the account of a patient', () => {
  it('is recognised by LibreView accepting what LibreLinkUp refuses, in the region that it names', async () => {
    const http = provider({ '/auth/login': ({ region }) => (region === 'eu2' ? inside : redirect('eu2')) });
    expect(await login(http, 'both', 'gb')).toEqual({
      kind: 'linked',
      providerUserId: 'user-1',
      account: { region: 'eu2', ...patientAccount },
      tokens: {
        accessToken: 'token-1',
        refreshToken: JSON.stringify({ email: 'ann@mail.example', password: 'right', token: 'token-1' }),
        expiresAt: new Date(1_788_000_000_000),
        scopes: null,
        providerUserId: 'user-1',
      },
    });
    expect(callsOf(http)).toEqual(['eu /llu/auth/login', 'eu /auth/login', 'eu2 /auth/login', 'eu2 /reportSettings']);
    expect(http.calls.map(({ headers }) => headers?.['product'])).toEqual(['llu.android', 'lv', 'lv', 'lv']);
  });

  it('is looked up when the login does not state it, and its ticket may have only a duration', async () => {
    const bare = { body: { status: 0, data: { user: {}, authTicket: { token: 'bare' } } } };
    const http = provider({ '/auth/login': bare, '/user': insideAs('pat', { token: 'token-2', duration: 3_600_000 }) });
    expect(await login(http)).toMatchObject({ tokens: { accessToken: 'token-2', expiresAt: new Date('2026-03-12T17:00:00Z') } });
    expect(http.calls.find(({ path }) => path === '/user')?.headers).toMatchObject({ authorization: 'Bearer bare' });
  });

  it('is tried when a follower follows nobody, who stays a follower if LibreView refuses', async () => {
    const nobody: Responses = { '/llu/auth/login': inside, '/llu/connections': { body: { status: 0, data: [] } } };
    expect(await login(provider(nobody))).toMatchObject({ account: patientAccount });
    expect(await login(provider({ ...nobody, '/auth/login': refused }))).toMatchObject({
      kind: 'linked',
      account: { account_id: expect.any(String) },
    });
    const someone = { ...nobody, '/llu/connections': { body: { status: 0, data: [{ patientId: 'patient-1' }] } } };
    const http = provider(someone);
    expect(await login(http)).toMatchObject({ account: { patient_id: 'patient-1' } });
    expect(callsOf(http)).toEqual(['global /llu/auth/login', 'global /llu/connections']);
  });

  it.each([
    ['linkup', ['global /llu/auth/login']],
    ['libreview', ['global /auth/login', 'global /reportSettings']],
    ['anything else', ['global /llu/auth/login', 'global /auth/login', 'global /reportSettings']],
  ])('is tried as the operator allows: %s', async (accounts, expected) => {
    const http = provider({});
    await login(http, accounts);
    expect(callsOf(http)).toEqual(expected);
  });

  it.each([
    ['of a professional', { '/auth/login': insideAs('hcp') }, 'provider_credential_error'],
    ['with a wrong password', { '/auth/login': refused }, 'provider_credential_error'],
    ['with an expired password', { '/auth/login': stepTo('resetPassword') }, 'provider_password_expired'],
    [
      'whose expiry is an error',
      { '/auth/login': { body: { status: 2, error: { message: 'passwordExpired' } } } },
      'provider_password_expired',
    ],
    ['with terms to accept', { '/auth/login': stepTo('tou') }, 'provider_credential_error'],
    ['in an unknown region', { '/auth/login': redirect('mars') }, 'unsupported_region'],
    ['behind a bot-protection page', { '/auth/login': { status: 403 } }, 'provider_api_error'],
    ['whose token does not work', { '/reportSettings': unauthorized }, 'provider_api_error'],
  ])('is not linked %s', async (_what, responses: Responses, errorType) => {
    expect(await login(provider(responses))).toMatchObject({ kind: 'refused', errorType });
  });

  it('is linked with the code that was sent by e-mail', async () => {
    const http = provider({
      '/auth/login': ({ region }) => (region === 'de' ? stepTo('2faVerify') : redirect('de')),
      '/auth/continue/2fa/sendcode': { body: { status: 0, ticket: { token: 'second' } } },
      '/auth/continue/2fa/result': ({ headers }) => (headers?.['authorization'] === 'Bearer second' ? inside : refused),
    });
    const outcome = await login(http);
    if (outcome.kind !== 'mfa') throw new Error('No challenge');
    expect(outcome).toMatchObject({ method: 'email', hint: 'a***@mail.example' });
    const support = supportOf('both');
    expect(await support.completeMfa?.({ http, ticket: outcome.ticket, code: '123456', now, signal })).toMatchObject({
      kind: 'linked',
      account: { region: 'de', ...patientAccount },
    });
    const codes = http.calls.filter(({ path }) => path.startsWith('/auth/continue'));
    expect(codes.map(({ region, headers }) => [region, headers?.['product']])).toEqual([
      ['de', 'lv'],
      ['de', 'lv'],
    ]);
  });
});

describe('the renewal of a patient', () => {
  const renewal = JSON.stringify({ email: 'ann@mail.example', password: 'right', token: 'token-1' });
  const renew = (http: Provider, kept = renewal) =>
    supportOf('both').renew({ http, renewal: kept, account: { region: 'de', ...patientAccount }, now, signal });

  it('needs neither password nor code while the token is valid', async () => {
    const http = provider({ '/user': insideAs('pat', { ...ticket, token: 'token-2' }), '/auth/login': stepTo('2faVerify') });
    expect(await renew(http)).toMatchObject({
      outcome: 'refreshed',
      tokens: { accessToken: 'token-2', refreshToken: JSON.stringify({ email: 'ann@mail.example', password: 'right', token: 'token-2' }) },
    });
    expect(callsOf(http)).toEqual(['de /user']);
  });

  it('logs in at LibreView when the token is no longer valid', async () => {
    const http = provider({ '/user': unauthorized });
    expect(await renew(http)).toMatchObject({ outcome: 'refreshed', tokens: { accessToken: 'token-1' } });
    expect(callsOf(http)).toEqual(['de /user', 'de /auth/login']);
  });

  it.each([
    ['a code', stepTo('2faVerify'), { outcome: 'refused', errorType: 'provider_credential_error', isFinal: true }],
    ['a new password', stepTo('resetPassword'), { outcome: 'refused', errorType: 'provider_password_expired', isFinal: true }],
    ['another password', refused, { outcome: 'refused', isFinal: false }],
    ['patience', { status: 503 }, { outcome: 'unclear', retryable: true }],
  ])('ends only when the user must act: LibreView requires %s', async (_what, response, expected) => {
    expect(await renew(provider({ '/user': unauthorized, '/auth/login': response }))).toMatchObject(expected);
  });
});
