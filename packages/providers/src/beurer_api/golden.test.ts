import { expect, it } from 'vitest';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { createFakeLogin } from '../kit/testing/fake-login.ts';
import { defaultsOf } from '../kit/settings.ts';
import { beurerSettings, createContext } from './beurer.ts';
import { mapMeasurements } from './map-measurements.ts';
import { createBeurerPassword } from './password.ts';
import type { Kind } from './read-values.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: 'ada@mail.example',
  grantedScopes: [],
  account: { region: 'eu' },
};
const window = { startDate: '2024-11-17', endDate: '2024-11-18' };
const mapperOf = (kind: Kind) => (body: unknown) => mapMeasurements(kind, body, window, createContext(user));

describeMappers(import.meta.url, {
  blood_pressure: mapperOf('blood_pressure'),
  weight: mapperOf('weight'),
  glucose: mapperOf('glucose'),
  oxygen: mapperOf('oxygen'),
});

const password = createBeurerPassword(defaultsOf(beurerSettings));
const call = {
  username: 'Ada@mail.example',
  password: 'x',
  region: 'us',
  now: new Date('2026-03-12T12:00:00Z'),
  signal: AbortSignal.timeout(5000),
};

it.each([
  [{ status: 400, body: { error: 'invalid_grant' } }, 'provider_credential_error'],
  [{ status: 400, body: { error: 'invalid_client' } }, 'provider_api_error'],
  [{ status: 200, body: {} }, 'provider_api_error'],
  [{ status: 502 }, 'provider_api_error'],
])('a sign-in response of %j is a %s', async (response, errorType) => {
  expect(await password.login({ ...call, http: createFakeLogin(() => response) })).toMatchObject({ kind: 'refused', errorType });
});

it('a sign-in keeps the region, and a wrong client ends no connection', async () => {
  const tokens = { access_token: 'a', refresh_token: 'r', expires_in: 3600 };
  const linked = await password.login({ ...call, http: createFakeLogin(() => ({ body: tokens })) });
  expect(linked).toMatchObject({ kind: 'linked', providerUserId: 'ada@mail.example', account: { region: 'us' } });
  const renew = (status: number, error: string) =>
    password.renew({ ...call, http: createFakeLogin(() => ({ status, body: { error } })), renewal: 'r', account: {} });
  expect(await renew(400, 'invalid_grant')).toEqual({ outcome: 'revoked' });
  expect(await renew(400, 'invalid_client')).toMatchObject({ outcome: 'unclear' });
});
