import { expect, it } from 'vitest';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { createFakeLogin } from '../kit/testing/fake-login.ts';
import { mapDiary } from './map-diary.ts';
import { createContext } from './my-fitness-pal.ts';
import { createDiaryPassword } from './password.ts';

const context = createContext({
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'Europe/Paris',
  providerUserId: 'ann',
  grantedScopes: [],
  account: {},
});

describeMappers(import.meta.url, {
  diary: (body) => mapDiary(body, context),
  'diary-recorded': (body) => mapDiary(body, context),
});

const path = '/api/services/authenticate_diary_key';

it.each([
  ['an empty diary', { status: 200, body: [] }, { kind: 'linked', providerUserId: 'ann' }],
  ['a wrong key', { status: 401, body: {} }, { kind: 'refused', errorType: 'provider_credential_error' }],
  [
    'a wrong key with status 200',
    { status: 200, body: { error: 'The key is not correct.' } },
    { kind: 'refused', errorType: 'provider_credential_error' },
  ],
  ['a page that blocks bots', { status: 403, body: undefined }, { kind: 'refused', errorType: 'provider_api_error' }],
])('takes %s for what it is', async (_name, response, expected) => {
  const http = createFakeLogin(() => response);
  const call = { http, username: 'ann', password: 'our-key', region: null, now: new Date(), signal: AbortSignal.timeout(5000) };
  expect(await createDiaryPassword({ path }).login(call)).toMatchObject(expected);
  expect(http.calls[0]?.json).toMatchObject({ username: 'ann', key: 'our-key', show_food_diary: 1 });
});
