import { expect, it } from 'vitest';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { createFakeLogin } from '../kit/testing/fake-login.ts';
import { createContext } from './kardia.ts';
import { mapRecordings } from './map-recordings.ts';
import { kardiaPassword } from './password.ts';

const context = createContext({
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: 'w',
  grantedScopes: [],
  account: {},
});
const window = { startDate: '2026-03-01', endDate: '2026-03-31' };

describeMappers(import.meta.url, { recordings: (body) => mapRecordings(body, window, context) });

const patients = (...emails: (string | null)[]) => ({
  status: 200,
  body: { data: emails.map((email, index) => ({ id: `patient-${index}`, email })), pageInfo: { hasNextPage: false, endCursor: 'end' } },
});

it.each([
  ['one patient', patients(null, 'Ann@example.test'), { kind: 'linked', providerUserId: 'patient-1' }],
  ['nobody', patients('ben@example.test'), { kind: 'refused', errorType: 'provider_credential_error' }],
  ['two patients', patients('ann@example.test', 'ann@example.test'), { kind: 'refused', errorType: 'provider_credential_error' }],
  ['an unknown key', { status: 401, body: {} }, { kind: 'refused', errorType: 'provider_credential_error' }],
  ['an overload', { status: 503, body: undefined }, { kind: 'refused', errorType: 'provider_api_error' }],
])('links exactly one patient: an address of %s', async (_name, response, expected) => {
  const http = createFakeLogin(() => response);
  const call = { http, username: 'ann@example.test', password: 'key', region: null, now: new Date(), signal: AbortSignal.timeout(5000) };
  expect(await kardiaPassword.login(call)).toMatchObject(expected);
});
