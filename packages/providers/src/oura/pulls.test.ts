import { describe, expect, it } from 'vitest';
import { providerError } from '../kit/http/provider-error.ts';
import { createFakeHttp, type FakeResponse, type FakeCall } from '../kit/testing/fake-http.ts';
import type { LoginRequest, PulledPage, PullSpec, PullUser } from '../kit/types/connector.ts';
import { readOuraAccount } from './account.ts';
import { classifyOura } from './classify.ts';
import { oura, revokeOura } from './connector.ts';

const user: PullUser = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: 'u1',
  grantedScopes: oura.oauth?.scopes ?? [],
  account: {},
};
const window = { startDate: '2025-03-04', endDate: '2025-03-05' };

function pullOf(name: string): PullSpec {
  const found = oura.pulls.find((pull) => pull.name === name);
  if (!found) throw new Error(`no pull ${name}`);
  return found;
}

async function run(name: string, response: FakeResponse, objectId?: string) {
  const http = createFakeHttp(response);
  const signal = new AbortController().signal;
  const pull = pullOf(name);
  const pages: PulledPage[] = [];
  const source = objectId === undefined ? pull.pull({ http, user, window, signal }) : pull.pullObject?.({ http, user, objectId, signal });
  for await (const page of source ?? []) pages.push(page);
  return { pages, paths: http.paths };
}

const workout = (id: string) => ({
  id,
  day: '2025-03-04',
  activity: 'running',
  start_datetime: '2025-03-04T17:00:00+02:00',
  end_datetime: '2025-03-04T17:45:00+02:00',
});

describe('a collection', () => {
  it('is followed from page to page by its token only, and yields a page of records each time', async () => {
    const { pages, paths } = await run('workouts', ({ query }) =>
      query?.['next_token'] === 'two' ? { data: [workout('b')], next_token: null } : { data: [workout('a')], next_token: 'two' },
    );
    expect(paths).toEqual([
      '/v2/usercollection/workout?start_date=2025-03-03&end_date=2025-03-06',
      '/v2/usercollection/workout?next_token=two',
    ]);
    expect(pages.map(({ records }) => records.length)).toEqual([1, 1]);
    expect(pages.map(({ version }) => version)).toEqual([1n, 2n]);
  });

  it('fails as a provider error when it leads back to the same page', async () => {
    const endless = run('workouts', () => ({ data: [], next_token: 'again' }));
    await expect(endless).rejects.toMatchObject({ code: 'provider_transient', details: { reason: 'endless_pages' } });
  });
});

describe('sleep', () => {
  const sleep = {
    id: 's',
    day: '2025-03-04',
    type: 'long_sleep',
    bedtime_start: '2025-03-03T23:00:00+02:00',
    bedtime_end: '2025-03-04T07:00:00+02:00',
  };
  const response: FakeResponse = ({ path }) => {
    if (path.endsWith('/daily_sleep')) return { data: [{ day: '2025-03-04', score: 78 }] };
    return path.endsWith('/sleep') ? { data: [sleep] } : { day: '2025-03-04' };
  };

  it('has the score of its day, and the version of the older of the two responses', async () => {
    const { pages } = await run('sleep', response);
    expect(pages[0]?.version).toBe(1n);
    expect(pages[0]?.records[0]).toMatchObject({ resource: 'sleep', data: { score: 78 } });
  });

  it('is read with its whole day when a push names its score', async () => {
    const { paths, pages } = await run('sleep', response, 'daily_sleep/d-1');
    expect(paths[0]).toBe('/v2/usercollection/daily_sleep/d-1');
    expect(paths[2]).toBe('/v2/usercollection/sleep?start_date=2025-03-03&end_date=2025-03-05');
    expect(pages).toHaveLength(1);
  });

  it('of the first day is read, although Oura omits the first requested day', async () => {
    // As recorded from a live account: `start_date < day <= end_date`.
    const exclusive: FakeResponse = ({ path, query }) =>
      path.endsWith('/sleep') && !(sleep.day > (query?.['start_date'] ?? ''))
        ? { data: [] }
        : response({ path, query, method: 'GET' } as FakeCall);
    for (const objectId of [undefined, 'sleep/s']) {
      const { pages } = await run('sleep', exclusive, objectId);
      expect(pages.flatMap(({ records }) => records).map(({ resource }) => resource)).toContain('sleep');
    }
  });

  it('is removed with its cycle, and a removed score removes nothing', () => {
    const removed = pullOf('sleep').removeObject?.({ user, objectId: 'sleep/s' });
    expect(removed?.map(({ kind, resource }) => [kind, resource])).toEqual([
      ['summary_removal', 'sleep'],
      ['summary_removal', 'sleep_cycle'],
    ]);
    expect(pullOf('sleep').removeObject?.({ user, objectId: 'daily_sleep/d' })).toEqual([]);
  });
});

describe('the heart rate', () => {
  it('is requested for fewer than 30 days, with the days beside for its offsets', async () => {
    const { paths } = await run('heartrate', () => ({ data: [] }));
    expect(paths).toEqual([
      '/v2/usercollection/daily_activity?start_date=2025-03-02&end_date=2025-03-07&fields=day%2Ctimestamp',
      '/v2/usercollection/heartrate?start_datetime=2025-03-03T10%3A00%3A00Z&end_datetime=2025-03-06T14%3A00%3A00Z',
    ]);
    const days = pullOf('heartrate').chunkDays + (2 * 14) / 24;
    expect(days).toBeLessThanOrEqual(30);
  });

  it('of a sleep that was synced late is read on its own days, not on today’s', async () => {
    const response: FakeResponse = ({ path }) => (path.endsWith('/d-1') ? { day: '2025-02-20' } : { data: [] });
    const { paths } = await run('heartrate', response, 'daily_sleep/d-1');
    expect(paths[0]).toBe('/v2/usercollection/daily_sleep/d-1');
    expect(paths[2]).toContain('start_datetime=2025-02-18T10%3A00%3A00Z&end_datetime=2025-02-21T14%3A00%3A00Z');
    const undated = await run('heartrate', () => ({ day: '2025-02-30' }), 'daily_sleep/d-1');
    expect(undated.paths).toHaveLength(1);
  });
});

describe('the account', () => {
  const now = new Date('2025-03-10T12:00:00Z');
  const http = (weight: number) => createFakeHttp(() => ({ id: 'u1', weight }));

  it('keeps the day since which the current weight applies', async () => {
    const first = await readOuraAccount({ http: http(74.8), grantedScopes: ['personal'], now });
    expect(first).toEqual({ providerUserId: 'u1', account: { weight_kg: 74.8, weight_day: '2025-03-10' } });
    const later = new Date('2025-04-01T12:00:00Z');
    const same = await readOuraAccount({ http: http(74.8), grantedScopes: ['personal'], now: later, previous: first.account });
    expect(same.account['weight_day']).toBe('2025-03-10');
    const other = await readOuraAccount({ http: http(75), grantedScopes: ['personal'], now: later, previous: first.account });
    expect(other.account).toEqual({ weight_kg: 75, weight_day: '2025-04-01' });
  });

  it('lists the rings if the user allowed it, and links without them when Oura withholds the list', async () => {
    const ringRow = { id: 'r1', hardware_type: 'gen3', firmware_version: '2.9.2', color: 'black', size: 9, set_up_at: null };
    const answer = (list: () => unknown) => createFakeHttp(({ path }) => (path.endsWith('personal_info') ? { id: 'u1' } : list()));
    const read = async (list: () => unknown, grantedScopes = ['personal', 'ring_configuration']) =>
      (await readOuraAccount({ http: answer(list), grantedScopes, now })).account;
    const account = await read(() => ({ data: [ringRow, { id: null }, { ...ringRow, id: 'r2', hardware_type: 7 }], next_token: null }));
    expect(oura.devices?.read({ ...user, account })).toMatchObject([
      { externalId: 'r1', sourceType: 'ring', manufacturer: 'Oura', model: 'gen3', version: '2.9.2' },
      { externalId: 'r2', model: null },
    ]);
    expect(await read(() => ({ data: [ringRow] }), ['personal'])).toEqual({});
    const withheld = (code: 'provider_account_state' | 'provider_transient', status: number) => () => {
      throw providerError(code, { status });
    };
    expect(await read(withheld('provider_account_state', 403))).toEqual({});
    await expect(read(withheld('provider_transient', 503))).rejects.toMatchObject({ code: 'provider_transient' });
  });

  it('has no user id without the scope for it, and fails for any other error', async () => {
    const refused = createFakeHttp(() => {
      throw providerError('provider_token_expired', { status: 401 });
    });
    expect(await readOuraAccount({ http: refused, grantedScopes: ['daily'], now })).toEqual({ providerUserId: null, account: {} });
    await expect(readOuraAccount({ http: refused, grantedScopes: ['personal'], now })).rejects.toMatchObject({
      code: 'provider_token_expired',
    });
  });
});

describe('a consent', () => {
  const revoke = async (status: number) => {
    const requested: LoginRequest[] = [];
    const http = {
      async send(request: LoginRequest) {
        requested.push(request);
        return { status, headers: {}, body: undefined, bytes: Buffer.alloc(0) };
      },
    };
    const application = { clientId: 'client', clientSecret: 'secret' };
    const call = { http, application, accessToken: 'a', refreshToken: 'r', providerUserId: 'u1', revokeUrl: null };
    return { isGone: await revokeOura(call), asked: requested };
  };

  it('is revoked with only the access token', async () => {
    const { isGone, asked } = await revoke(200);
    expect([isGone, asked]).toEqual([true, [{ method: 'POST', path: '/oauth/revoke', query: { access_token: 'a' } }]]);
  });

  it('is kept when the access token has expired, and a fresh token is requested', async () => {
    await expect(revoke(401)).rejects.toMatchObject({ code: 'provider_token_expired' });
    await expect(revoke(503)).rejects.toMatchObject({ code: 'provider_transient' });
  });
});

describe('Oura’s errors', () => {
  it('for a lapsed membership and an old phone app keep the consent', () => {
    const codeOf = (status: number) => classifyOura({ status, headers: {}, body: undefined }).code;
    expect([403, 426, 401, 422].map(codeOf)).toEqual([
      'provider_account_state',
      'provider_account_state',
      'provider_token_expired',
      'provider_permanent',
    ]);
  });
});

describe('an announced tag', () => {
  it('reads all tags of its day, because those of one moment are one note', async () => {
    const at = { start_day: '2025-03-04', start_time: '2025-03-04T20:00:00-07:00' };
    const tags = ['b', 'a'].map((id) => ({ id, tag_type_code: `tag_${id}`, ...at }));
    const { pages, paths } = await run('tags', ({ path }) => (path.endsWith('/b') ? tags[0] : { data: tags }), 'enhanced_tag/b');
    expect(paths).toEqual([
      '/v2/usercollection/enhanced_tag/b',
      '/v2/usercollection/enhanced_tag?start_date=2025-03-03&end_date=2025-03-05',
    ]);
    const texts = pages.flatMap(({ records }) =>
      records.flatMap((record) => (record.kind === 'samples' ? record.samples.map(({ extra }) => extra?.['text']) : [])),
    );
    expect(texts).toEqual(['tag_a\ntag_b']);
  });
});
