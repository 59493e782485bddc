import { describe, expect, it } from 'vitest';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { findIhealthRefusal, readTokenError } from './classify.ts';
import { offsetOf } from './clock.ts';
import { createContext, ihealthSettings } from './ihealth.ts';
import { mapActivity } from './map-activity.ts';
import { mapBloodPressure, mapGlucose, mapOxygen, mapWeight } from './map-readings.ts';
import { mapSleep } from './map-sleep.ts';
import { mapWorkouts } from './map-workouts.ts';
import { createPulls } from './pulls.ts';
import { defaultsOf } from '../kit/settings.ts';
import { JsonNode } from '../kit/values/json-node.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'Europe/Berlin',
  providerUserId: 'ab12',
  grantedScopes: [],
  account: {},
};
const window = { startDate: '2024-11-17', endDate: '2024-11-18' };
const context = createContext(user);

describeMappers(import.meta.url, {
  bp: (body) => mapBloodPressure(body, window, context),
  glucose: (body) => mapGlucose(body, window, context),
  weight: (body) => mapWeight(body, window, context),
  spo2: (body) => mapOxygen(body, window, context),
  activity: (body) => mapActivity(body, window, context),
  sleep: (body) => mapSleep(body, window, context),
  sport: (body) => mapWorkouts(body, window, context),
});

describe('offsets', () => {
  it.each([
    ['-0800', -28_800],
    ['0800', 28_800],
    ['+05:30', 19_800],
    [-8, -28_800],
    [5.5, 19_800],
    ['', null],
    ['PST', null],
    [80, null],
  ])('reads %j as %j seconds', (value, seconds) => expect(offsetOf(new JsonNode(value))).toBe(seconds));
});

describe('pulls', () => {
  const item = { DataID: 'a', MDate: 1_731_848_503, TimeZone: '-0500', BO: 97 };
  const [spo2] = createPulls({ ...defaultsOf(ihealthSettings), svSpo2: 'secret' }).filter(({ name }) => name === 'spo2');
  const read = async (pages: readonly object[]) => {
    const http = createFakeHttp(({ query }) => pages[Number(query?.['page_index']) - 1] ?? { BODataList: [] });
    let records = 0;
    for await (const page of spo2?.pull({ http, user, window, signal: AbortSignal.timeout(10_000) }) ?? []) records += page.records.length;
    return { calls: http.calls.length, records, first: http.calls[0] };
  };

  it('request by local time, with extra days on both sides', async () => {
    const { first } = await read([{ BODataList: [item], NextPageUrl: '' }]);
    expect(first?.path).toBe('/openapiv2/user/ab12/spo2.json/');
    expect(first?.query).toMatchObject({
      start_time: String(Date.UTC(2024, 10, 15) / 1000),
      end_time: String(Date.UTC(2024, 10, 21) / 1000),
    });
  });

  it('follow the lists, not their counters', async () => {
    expect(await read([{ BODataList: [item], RecordCount: 500, NextPageUrl: '' }])).toMatchObject({ calls: 1, records: 1 });
    const later = { ...item, MDate: item.MDate + 60 };
    const linked = [
      { BODataList: [item], NextPageUrl: 'https://elsewhere.example/?page_index=2' },
      { BODataList: [later], NextPageUrl: '' },
    ];
    expect(await read(linked)).toMatchObject({ calls: 2, records: 2 });
  });
});

it('finds errors in responses of status 200', () => {
  const expired = { Error: 'invalid', ErrorCode: 5032, ErrorDescription: 'Token is expired' };
  expect(findIhealthRefusal({ status: 200, headers: {}, body: expired })).toEqual({ code: 'provider_token_expired' });
  expect(findIhealthRefusal({ status: 200, headers: {}, body: { ErrorCode: 0, BPDataList: [] } })).toBeNull();
  expect(readTokenError({ body: { ErrorCode: 5001, Error: 'code is invalid' } })).toBe('invalid_grant');
  expect(readTokenError({ body: { AccessToken: 'a' } })).toBeNull();
});
