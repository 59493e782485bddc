import { expect, it } from 'vitest';
import { createFakeLogin, type FakeLoginResponse } from '../kit/testing/fake-login.ts';
import type { LoginRequest } from '../kit/types/connector.ts';
import { createTandemPassword } from './password.ts';
import { tandemSettings } from './tandem.ts';

const values = Object.fromEntries(Object.entries(tandemSettings).map(([name, { default: value }]) => [name, value])) as Parameters<
  typeof createTandemPassword
>[0];
const idToken = `e30.${Buffer.from(JSON.stringify({ pumperId: 'pumper-1' })).toString('base64url')}.x`;

/** The sign-in of the site: each step requires the cookie of the one before. */
function createSite(checked: FakeLoginResponse) {
  return createFakeLogin(({ path, headers = {}, form }: LoginRequest): FakeLoginResponse => {
    if (path === '/') return { headers: { 'set-cookie': 'visit=1; Path=/' } };
    if (!headers['cookie']?.includes('visit=1')) return { status: 403 };
    if (path === '/accounts/api/login') return { ...checked, headers: { 'set-cookie': 'session=2; HttpOnly' } };
    if (!headers['cookie']?.includes('session=2')) return { status: 401, body: {} };
    if (path.startsWith('/accounts/api/connect/authorize'))
      return { status: 302, headers: { location: `${values.redirectUriUs}?code=the-code` } };
    if (form?.['code'] !== 'the-code' || !form['code_verifier']) return { status: 400, body: {} };
    return { body: { access_token: 'access', id_token: idToken, expires_in: 28_800 } };
  });
}

const login = (checked: FakeLoginResponse, region: string | null = null) =>
  createTandemPassword(values).login({
    http: createSite(checked),
    username: 'ann@example.test',
    password: 'secret',
    region,
    now: new Date('2026-05-14T12:00:00Z'),
    signal: AbortSignal.timeout(5000),
  });

it('links with the person that the ID token names, and keeps what the next sign-in needs', async () => {
  const outcome = await login({ body: { redirectUrl: '/', status: 'SUCCESS' } });
  expect(outcome).toMatchObject({
    kind: 'linked',
    providerUserId: 'pumper-1',
    account: { region: 'us' },
    tokens: { accessToken: 'access', refreshToken: expect.stringContaining('ann@example.test') },
  });
});

it.each([
  ['wrong credentials', { status: 401, body: { errorCode: 'account/invalid_credentials' } }, 'provider_credential_error'],
  ['a locked account', { status: 400, body: 'Max attempted logins exceeded' }, 'provider_credential_error'],
  ['a block of the firewall', { status: 403 }, 'provider_api_error'],
  ['bad parameters', { status: 400, body: { message: 'Check input parameters.' } }, 'provider_api_error'],
])('the sign-in rejects %s', async (_name, checked, errorType) => {
  expect(await login(checked)).toMatchObject({ kind: 'refused', errorType });
});
