import { expect, it } from 'vitest';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { createFakeLogin } from '../kit/testing/fake-login.ts';
import { mapDiaryItems } from '../kit/my-fitness-pal/map-diary-items.ts';
import { mapMeasurements } from '../kit/my-fitness-pal/map-measurements.ts';
import { defaultsOf } from '../kit/settings.ts';
import { accountReading } from './account-pulls.ts';
import { isDiaryRefusal } from './diary.ts';
import { mapDiary } from './map-diary.ts';
import { createContext, diarySettings } from './my-fitness-pal.ts';
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
  'account-diary': (body) => mapDiaryItems(body, context, accountReading),
  'account-weight': (body) => mapMeasurements(body, context),
});

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
  expect(await createDiaryPassword({ ...defaultsOf(diarySettings), clientId: '' }).login(call)).toMatchObject(expected);
  expect(http.calls[0]?.json).toMatchObject({ username: 'ann', key: 'our-key', show_food_diary: 1 });
});

it('takes the words of a diary for no refusal', () => {
  const food = { food: { description: 'Soup, label incorrect' } };
  const bodies = [[{ food_entries: [food] }], { reports: [{ food_entries: [food] }] }, { items: [food] }];
  expect(bodies.filter((body) => isDiaryRefusal({ status: 200, body }))).toEqual([]);
});
