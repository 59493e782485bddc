import { describe, expect, it } from 'vitest';
import { describeMappers } from '../kit/testing/describe-mappers.ts';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import { createFakeLogin, type FakeLoginResponse } from '../kit/testing/fake-login.ts';
import type { ProviderHttp, PulledPage } from '../kit/types/connector.ts';
import { eightSleep } from './connector.ts';
import { createContext, type EightSleepValues } from './eight-sleep.ts';
import { mapProfile } from './map-profile.ts';
import { mapTrends } from './map-trends.ts';
import { createEightSleepPassword } from './password.ts';
import { eightSleepPulls } from './pulls.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'Europe/Paris',
  providerUserId: '9f2c',
  grantedScopes: [],
  account: { time_zone: 'America/Los_Angeles' },
};
const context = createContext(user);
const window = { startDate: '2026-03-20', endDate: '2026-03-30' };

describeMappers(import.meta.url, {
  trends: (body) => {
    const { records, quarantined } = mapTrends(body, body, window, context);
    return { records, quarantined };
  },
  profile: (body) => mapProfile(body, context),
});

const session = (id: string, ts: string) => ({
  id,
  ts,
  presenceEnd: ts.replace('T07', 'T15'),
  stages: [{ stage: 'light', duration: 28_800 }],
});
const dayOf = (day: string, more: object) => ({ day, mainSessionId: day, sessions: [session(day, `${day}T07:00:00.000Z`)], ...more });

async function pullSleep(http: ProviderHttp): Promise<PulledPage[]> {
  const pages: PulledPage[] = [];
  for await (const page of eightSleepPulls[0]?.pull({ http, user, window, signal: AbortSignal.timeout(10_000) }) ?? []) pages.push(page);
  return pages;
}

describe('trends', () => {
  it('with sessions and scores are read in one call, in the zone of the account', async () => {
    const http = createFakeHttp(() => ({ days: [dayOf('2026-03-21', { score: 80 })] }));
    const [page] = await pullSleep(http);
    expect(http.paths).toEqual([
      '/users/9f2c/trends?tz=America%2FLos_Angeles&from=2026-03-20&to=2026-03-30&include-main=false&model-version=v2&include-all-sessions=true',
    ]);
    expect(page?.records[0]).toMatchObject({ resource: 'sleep', data: { score: 80, state: 'confirmed' } });
  });

  it('without scores are joined by day with a second response', async () => {
    const http = createFakeHttp(({ query }) =>
      query?.['include-all-sessions'] === 'true'
        ? { days: [dayOf('2026-03-21', {})] }
        : { days: [{ day: '2026-03-21', mainSessionId: '2026-03-21', score: 66, sleepQualityScore: { hrv: { current: 28.6 } } }] },
    );
    const [page] = await pullSleep(http);
    expect(http.calls).toHaveLength(2);
    expect(page?.records[0]).toMatchObject({ data: { score: 66, average_hrv: 28.6 } });
  });

  it('with the text "None" for a night keep the heart rate of the session', async () => {
    const day = {
      day: '2026-05-14',
      presenceDuration: 'None',
      sleepDuration: 'None',
      score: 'None',
      sessions: [
        {
          id: 's',
          ts: '2026-05-14T04:00:00.000Z',
          stages: 'None',
          timeseries: {
            heartRate: [
              ['2026-05-14T04:00:00.000Z', 'None'],
              ['2026-05-14T04:05:00.000Z', 55],
            ],
          },
        },
      ],
    };
    const [page] = await pullSleep(createFakeHttp(() => ({ days: [day] })));
    expect(page?.quarantined).toEqual([]);
    expect(page?.records).toMatchObject([
      { kind: 'samples', resource: 'heartrate', samples: [{ ts: Date.parse('2026-05-14T04:05:00Z'), value: 55 }] },
    ]);
  });

  it('keep the series of a session whose night cannot be read', async () => {
    const heartRate = [['2026-05-14T04:05:00.000Z', 55]];
    const sessions = [{ id: 's', ts: 'yesterday', timeseries: { heartRate } }];
    const [page] = await pullSleep(createFakeHttp(() => ({ days: [{ day: '2026-05-14', score: 1, sessions }] })));
    expect(page?.records).toMatchObject([{ kind: 'samples', resource: 'heartrate' }]);
    expect(page?.quarantined).toMatchObject([{ resource: 'sleep', reason: 'bad_time' }]);
  });

  it('are complete between the first and the last day listed, and nowhere when there is none', async () => {
    const days = [dayOf('2026-03-21', { score: 1 }), dayOf('2026-03-25', { score: 1 })];
    const [page] = await pullSleep(createFakeHttp(() => ({ days })));
    const range = { kind: 'summaries', sourceTypes: ['unknown'], startDate: '2026-03-21', endDate: '2026-03-25' };
    expect(page?.partOf).toEqual(['sleep', 'sleep_cycle'].map((resource) => ({ ...range, resource })));
    const [empty] = await pullSleep(createFakeHttp(() => ({ days: [] })));
    expect(empty).toMatchObject({ records: [], partOf: [] });
  });
});

describe('the account', () => {
  it.each([
    [{ timezone: 'Asia/Tokyo', currentDevice: { timeZone: 'Europe/Rome' } }, { time_zone: 'Asia/Tokyo' }],
    [{ currentDevice: { timeZone: 'Europe/Rome' } }, { time_zone: 'Europe/Rome' }],
    [{ currentDevice: null }, {}],
  ])('with %j has its time zone', async (facts, account) => {
    const http = createFakeHttp(() => ({ user: { userId: '9f2c', ...facts } }));
    expect(await eightSleep.account({ http, grantedScopes: [] })).toEqual({ providerUserId: '9f2c', account });
  });
});

const values: EightSleepValues = { clientId: 'app', clientSecret: 'secret', userAgent: '' };
const now = new Date('2026-03-12T16:00:00Z');
const signal = AbortSignal.timeout(60_000);
const tokens = { access_token: 'a.eyJzdWIiOiJmcm9tLXRva2VuIn0.c', refresh_token: 'r1', expires_in: 72_000, token_type: 'bearer' };
const support = createEightSleepPassword(values);
const refusal = (error: string) => ({ status: 400, body: { status: 400, code: 'BadRequest', error } });

describe('a login', () => {
  const login = (response: FakeLoginResponse) => {
    const http = createFakeLogin(() => response);
    return { http, outcome: support.login({ http, username: 'ann@mail.example', password: 'right', region: null, now, signal }) };
  };

  it('keeps the refresh token and not the password; the id is in the response or the token', async () => {
    const { http, outcome } = login({ body: { ...tokens, userId: '9f2c' } });
    expect(await outcome).toMatchObject({
      kind: 'linked',
      providerUserId: '9f2c',
      tokens: { refreshToken: 'r1', expiresAt: new Date('2026-03-13T12:00:00Z') },
    });
    expect(http.calls).toMatchObject([{ path: '/tokens', region: 'auth', json: { client_id: 'app', grant_type: 'password' } }]);
    expect(await login({ body: tokens }).outcome).toMatchObject({ providerUserId: 'from-token' });
  });

  it.each([
    [refusal('invalid_grant'), 'provider_credential_error'],
    [refusal('Error logging in.'), 'provider_credential_error'],
    [{ status: 401, body: {} }, 'provider_api_error'],
    [{ status: 429, body: { status: 429, code: 'Too Many Requests' } }, 'provider_api_error'],
    [{ status: 502, body: undefined }, 'provider_api_error'],
    [{ body: {} }, 'provider_api_error'],
  ])('with %j fails for the right reason', async (response, errorType) => {
    expect(await login(response).outcome).toMatchObject({ kind: 'refused', errorType });
  });
});

describe('a renewal', () => {
  const renew = (response: FakeLoginResponse) =>
    support.renew({ http: createFakeLogin(() => response), renewal: 'r1', account: {}, now, signal });

  it('takes the new refresh token, or keeps the old one, which stays valid', async () => {
    expect(await renew({ body: { ...tokens, refresh_token: 'r2' } })).toMatchObject({ tokens: { refreshToken: 'r2' } });
    expect(await renew({ body: { ...tokens, refresh_token: undefined } })).toMatchObject({ tokens: { refreshToken: 'r1' } });
  });

  it('ends the connection only for an invalid refresh token', async () => {
    expect(await renew(refusal('invalid_grant'))).toEqual({ outcome: 'revoked' });
    for (const response of [refusal('Error logging in.'), { status: 401 }, { status: 503 }])
      expect(await renew(response)).toMatchObject({ outcome: 'unclear', retryable: true });
  });
});
