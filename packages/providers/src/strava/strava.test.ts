import { describe, expect, it } from 'vitest';
import { providerError } from '../kit/http/provider-error.ts';
import { createFakeHttp, type FakeCall } from '../kit/testing/fake-http.ts';
import type { LoginRequest, PulledPage, PullUser } from '../kit/types/connector.ts';
import { classifyStrava, readStravaQuotas, readStravaTokenError } from './classify.ts';
import { readStravaAccount } from './connector.ts';
import { activitiesPull } from './pulls/activities.ts';
import { ensureSubscription } from './subscription.ts';

const user: PullUser = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '134815',
  grantedScopes: ['read', 'activity:read_all', 'profile:read_all'],
  account: {},
};
const activityOf = (id: number, day: string) => ({
  id,
  sport_type: 'Run',
  start_date: `${day}T10:00:00Z`,
  utc_offset: 0,
  elapsed_time: 60,
});

describe('reading activities', () => {
  const pages = [
    [activityOf(1, '2025-05-01'), activityOf(2, '2025-05-02')],
    [activityOf(3, '2025-05-03'), { id: 9, start_date: 'noon' }, activityOf(4, '2025-05-09')],
    [],
  ];
  function response({ path, query }: FakeCall): unknown {
    if (path === '/athlete/activities') return pages[Number(query?.['page']) - 1];
    const id = Number(path.split('/')[2]);
    if (path.endsWith('/streams') && id !== 2) return { time: { data: [0, 1] } };
    if (path.endsWith('/streams') || id === 3) throw providerError('provider_permanent', { status: 404 });
    return activityOf(id, `2025-05-0${id}`);
  }
  async function read() {
    const http = createFakeHttp(response);
    const found: PulledPage[] = [];
    const window = { startDate: '2025-05-01', endDate: '2025-05-03' };
    for await (const page of activitiesPull.pull({ http, user, window, signal: new AbortController().signal })) found.push(page);
    return { found, http };
  }

  it('reads until an empty page, since short ones precede it, and only activities of the window', async () => {
    const { http } = await read();
    const lists = http.calls.filter(({ path }) => path === '/athlete/activities').map(({ query }) => query);
    expect(lists.map((query) => query?.['page'])).toEqual(['1', '2', '3']);
    expect(lists[0]).toMatchObject({ after: '1745971200', before: '1746403200', per_page: '200' });
    expect(http.calls.map(({ path }) => path).filter((path) => path.startsWith('/activities/4'))).toEqual([]);
  });

  it('reads workout and stream as one page, skips missing objects, quarantines a bad item', async () => {
    const { found } = await read();
    const records = found.flatMap((page) => page.records.map((record) => `${record.resource} ${page.version}`));
    expect(records).toEqual(['workouts 2', 'workout_stream 2', 'workouts 4']);
    expect(found.flatMap(({ quarantined }) => quarantined)).toEqual([
      { resource: 'workouts', reason: 'bad_time', pointer: '/1/start_date' },
    ]);
  });

  it('computes heart rate zones from the stream and the birth date of the user', async () => {
    const streams = { time: { data: [0, 1, 2] }, heartrate: { data: [100, 170, 170] } };
    const http = createFakeHttp(({ path }) => (path.endsWith('/streams') ? streams : activityOf(1, '2025-05-01')));
    const zonesAt = async (birthDate: string | null) => {
      const pull = activitiesPull.pullObject?.({ http, user: { ...user, birthDate }, objectId: '1', signal: new AbortController().signal });
      const found: unknown[] = [];
      for await (const { records } of pull ?? [])
        found.push(...records.flatMap((record) => (record.kind === 'summary' ? record.data['hr_zones'] : [])));
      return found;
    };
    expect(await zonesAt('2005-05-01')).toEqual([0, 1, 0, 0, 2, 0]);
    expect(await zonesAt('1945-05-01')).toEqual([0, 0, 0, 1, 0, 2]);
  });

  it('requests no stream for a manual activity', async () => {
    const http = createFakeHttp(() => ({ ...activityOf(1, '2025-05-01'), manual: true }));
    const pull = activitiesPull.pullObject?.({ http, user, objectId: '1', signal: new AbortController().signal });
    for await (const page of pull ?? []) expect(page.records).toHaveLength(1);
    expect(http.calls.map(({ path }) => path)).toEqual(['/activities/1']);
  });

  it('fails on any error other than a missing object', async () => {
    const http = createFakeHttp(() => {
      throw providerError('provider_transient', { status: 503 });
    });
    const pull = activitiesPull.pullObject?.({ http, user, objectId: '1', signal: new AbortController().signal });
    await expect(pull?.[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'provider_transient' });
  });
});

describe('account', () => {
  it('has the zone of the newest activity, and the weight with its day', async () => {
    const http = createFakeHttp(({ path }) =>
      path === '/athlete' ? { id: 134815, weight: 61.5 } : [{ timezone: '(GMT+01:00) Europe/Berlin' }],
    );
    const now = new Date('2025-05-01T12:00:00Z');
    expect(await readStravaAccount({ http, grantedScopes: user.grantedScopes, providerUserId: '134815', now })).toEqual({
      providerUserId: '134815',
      account: { time_zone: 'Europe/Berlin', weight_kg: 61.5, weight_day: '2025-05-01' },
    });
    const none = await readStravaAccount({ http: createFakeHttp(() => []), grantedScopes: ['activity:read_all'], providerUserId: '1' });
    expect(none).toEqual({ providerUserId: '1', account: {} });
  });
});

describe('limits and errors', () => {
  it('reads both limits, which reset each quarter of an hour and each day', () => {
    const headers = {
      'x-ratelimit-limit': '200,2000',
      'x-ratelimit-usage': '12,310',
      'x-readratelimit-limit': '100,1000',
      'x-readratelimit-usage': '101,310',
    };
    expect(readStravaQuotas(headers, new Date('2025-05-01T23:50:00Z'))).toEqual([
      { scope: 'app', perMs: 900_000, limit: 200, remaining: 188, resetAfterMs: 600_000, isEstimated: true },
      { scope: 'app', perMs: 86_400_000, limit: 2000, remaining: 1690, resetAfterMs: 600_000, isEstimated: true },
      { scope: 'app', perMs: 900_000, limit: 100, remaining: 0, resetAfterMs: 600_000, isEstimated: true },
      { scope: 'app', perMs: 86_400_000, limit: 1000, remaining: 690, resetAfterMs: 600_000, isEstimated: true },
    ]);
    expect(readStravaQuotas({ 'x-ratelimit-limit': '200' }, new Date())).toEqual([]);
  });

  it('distinguishes an invalid token from a wrong application', () => {
    const bodyOf = (resource: string) => ({ message: 'Bad Request', errors: [{ resource, field: 'x', code: 'invalid' }] });
    const errorOf = (resource: string, status = 400) => readStravaTokenError({ status, body: bodyOf(resource) });
    expect(errorOf('RefreshToken')).toBe('invalid_grant');
    expect(errorOf('AuthorizationCode')).toBe('invalid_grant');
    expect(errorOf('Application', 401)).toBe('invalid_client');
    expect(errorOf('RefreshToken', 500)).toBeNull();
    expect(readStravaTokenError({ status: 400, body: { message: 'Bad Request' } })).toBeNull();
    expect(classifyStrava({ status: 403, headers: {}, body: undefined })).toEqual({ code: 'provider_scope_missing' });
    const errors = [{ resource: 'Application', field: 'Status', code: 'Inactive' }];
    expect(classifyStrava({ status: 403, headers: {}, body: { errors } })).toEqual({
      code: 'provider_configuration',
      details: { reason: 'application_inactive' },
    });
  });
});

describe('the subscription of the application', () => {
  const address = { callbackUrl: 'https://us.example/v2/push/strava/segment', verificationCode: 'code' };
  const application = { clientId: 'client', clientSecret: 'secret' };
  const now = new Date('2025-05-01T12:00:00Z');
  async function ensure(there: readonly object[], status = 200) {
    const requested: string[] = [];
    const http = {
      async send({ method, path, form }: LoginRequest) {
        requested.push(`${method} ${path} ${form?.['callback_url'] ?? ''}`.trim());
        const body = method === 'GET' ? there : method === 'POST' ? { id: 77 } : undefined;
        return { status, headers: {}, body, bytes: Buffer.alloc(0) };
      },
    };
    return { asked: requested, made: await ensureSubscription({ http, application, address, known: null, now }) };
  }

  it('is kept if it calls us, and pushes are checked against its id', async () => {
    const { asked, made } = await ensure([{ id: 5, callback_url: address.callbackUrl }]);
    expect(asked).toEqual(['GET /push_subscriptions']);
    expect(made).toMatchObject({ state: { id: '5' }, secret: '5' });
  });

  it('replaces one that calls another address, because there can be only one', async () => {
    const { asked, made } = await ensure([{ id: 5, callback_url: 'https://old.example/' }]);
    expect(asked).toEqual(['GET /push_subscriptions', 'DELETE /push_subscriptions/5', `POST /push_subscriptions ${address.callbackUrl}`]);
    expect(made).toMatchObject({ state: { id: '77' }, secret: '77' });
  });

  it('fails permanently if the application is rejected, and temporarily if Strava is down', async () => {
    await expect(ensure([], 401)).rejects.toMatchObject({ code: 'provider_permanent' });
    await expect(ensure([], 503)).rejects.toMatchObject({ code: 'provider_transient' });
  });
});
