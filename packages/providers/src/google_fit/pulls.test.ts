import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { classifyGoogleFit } from './classify.ts';
import { googleFit } from './connector.ts';
import { fitScopes } from './google-fit.ts';
import { providerError } from '../kit/http/provider-error.ts';
import { createFakeHttp, type FakeCall } from '../kit/testing/fake-http.ts';
import type { PulledPage, PullSpec } from '../kit/types/connector.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'Europe/Berlin',
  providerUserId: '7',
  grantedScopes: Object.values(fitScopes),
  account: {},
};
const window = { startDate: '2026-10-24', endDate: '2026-10-26' };
const now = new Date('2026-11-20T12:00:00Z');

function pullOf(name: string): PullSpec {
  const found = googleFit.pulls.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no pull ${name}.`);
  return found;
}

async function pull(name: string, respond: (call: FakeCall) => unknown, more: Partial<typeof user> = {}) {
  const http = createFakeHttp(respond);
  const pages: PulledPage[] = [];
  const context = { http, user: { ...user, ...more }, window, signal: AbortSignal.timeout(5000), now };
  for await (const page of pullOf(name).pull(context)) pages.push(page);
  return { pages, calls: http.calls, paths: http.paths };
}

/** Throws what a call does that Google refused. */
function refuse(status: number, message: string, reason = 'invalidArgument'): never {
  const body = { error: { code: status, message, errors: [{ domain: 'global', reason, message }] } };
  const { code, details = {} } = classifyGoogleFit({ status, headers: {}, body });
  throw providerError(code, { status, ...details });
}

const ms = (time: string) => Date.parse(time);
const session = (id: string, activityType: number, start: string, end: string) => ({
  id,
  activityType,
  startTimeMillis: String(ms(start)),
  endTimeMillis: String(ms(end)),
});

describe('the daily totals', () => {
  it('are cut by the days of the user’s zone, type by type', async () => {
    const { calls } = await pull('activity', () => ({ bucket: [] }));
    expect(calls).toHaveLength(6);
    for (const { json } of calls) {
      expect(json).toMatchObject({
        startTimeMillis: ms('2026-10-23T22:00:00Z'),
        // Clocks went back on the 25th.
        endTimeMillis: ms('2026-10-26T23:00:00Z'),
        bucketByTime: { period: { type: 'day', value: 1, timeZoneId: 'Europe/Berlin' } },
      });
      expect((json as { aggregateBy: unknown[] }).aggregateBy).toHaveLength(1);
    }
  });

  it('leave out a type that the user never recorded, and one whose scope was withdrawn', async () => {
    const bucket = (value: object) => ({
      bucket: [
        {
          startTimeMillis: String(ms('2026-10-23T22:00:00Z')),
          endTimeMillis: String(ms('2026-10-24T22:00:00Z')),
          dataset: [{ point: [{ startTimeNanos: '1793000000000000000', endTimeNanos: '1793000000000000000', value: [value] }] }],
        },
      ],
    });
    const { pages } = await pull('activity', ({ json }) => {
      const text = JSON.stringify(json);
      if (text.includes('estimated_steps')) return bucket({ intVal: 12, mapVal: [] });
      if (text.includes('distance')) return refuse(403, 'Cannot read data of type com.google.distance.delta', 'forbidden');
      return refuse(400, 'no default datasource found for: com.google.x');
    });
    expect(pages[0]?.records).toMatchObject([{ data: { steps: 12, distance: null, calories_total: null, heart_rate: null } }]);
  });

  it('do not request types whose scope was not granted', async () => {
    const { calls } = await pull('activity', () => ({ bucket: [] }), { grantedScopes: [fitScopes.activity] });
    expect(calls.map(({ json }) => JSON.stringify(json)).filter((text) => /distance|heart/.test(text))).toEqual([]);
  });
});

describe('a series', () => {
  it('follows the pages of a data set until the token ends', async () => {
    const { pages, calls } = await pull('steps', ({ query }) =>
      query?.['pageToken'] === undefined ? { point: [], nextPageToken: 'a' } : { point: [] },
    );
    expect(pages).toHaveLength(2);
    expect(calls[0]?.path).toBe(
      '/fitness/v1/users/me/dataSources/derived%3Acom.google.step_count.delta%3Acom.google.android.gms%3Aestimated_steps/datasets/1792792800000000000-1793055600000000000',
    );
    expect(pages[0]?.partOf).toMatchObject([{ resource: 'steps', fromMs: ms('2026-10-23T22:00:00Z'), toMs: ms('2026-10-26T23:00:00Z') }]);
  });

  it('of a type that the user does not have yields nothing and removes nothing', async () => {
    const { pages } = await pull('heartrate', () => refuse(404, 'DataSourceId not found: derived:com.google.heart_rate.bpm'));
    expect(pages).toEqual([]);
  });

  it('without its scope reports the missing scope', async () => {
    const reading = pull('heartrate', () => refuse(403, 'Request had insufficient scopes', 'insufficientPermissions'));
    await expect(reading).rejects.toMatchObject({ code: 'provider_scope_missing' });
  });
});

describe('workouts', () => {
  it('request each total for each workout, but a type that the user lacks only once', async () => {
    const list = {
      session: [
        session('a', 8, '2026-10-24T10:00:00Z', '2026-10-24T11:00:00Z'),
        session('b', 1, '2026-10-25T10:00:00Z', '2026-10-25T11:00:00Z'),
        session('night', 72, '2026-10-24T22:00:00Z', '2026-10-25T05:00:00Z'),
        session('next day', 8, '2026-10-27T10:00:00Z', '2026-10-27T11:00:00Z'),
      ],
      nextPageToken: '1',
    };
    const { pages, calls } = await pull('sessions', ({ method, json }) => {
      if (method === 'GET') return list;
      if (JSON.stringify(json).includes('heart_rate')) return refuse(400, 'no default datasource found for: com.google.heart_rate.bpm');
      return { bucket: [] };
    });
    expect(calls.filter(({ method }) => method === 'GET')).toHaveLength(1);
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(7);
    expect(pages[0]?.records).toMatchObject([{ data: { provider_id: 'a' } }, { data: { provider_id: 'b' } }]);
  });
});

describe('deleted sessions', () => {
  it('are removed, unless they were restored, and reading ends although every page names a token', async () => {
    const { pages, calls } = await pull('deleted-sessions', ({ query }) => {
      if (query?.['pageToken'] !== undefined) return { session: [], deletedSession: [], nextPageToken: '99' };
      return { session: [{ id: 'back' }], deletedSession: [{ id: 'gone' }, { id: 'back' }, {}], nextPageToken: '99' };
    });
    expect(calls).toHaveLength(2);
    expect(calls.every(({ query }) => query?.['startTime'] === undefined)).toBe(true);
    expect(pages[0]?.records).toHaveLength(3);
    expect(pages[0]?.records.map(({ resource }) => resource)).toEqual(['workouts', 'sleep', 'sleep_cycle']);
  });
});

describe('menstrual cycles', () => {
  it('are read with the entries of the two months before and after the window', async () => {
    const { paths } = await pull('cycles', () => ({}));
    expect(paths).toHaveLength(4);
    expect(paths[0]).toContain(`${ms('2026-08-24T22:00:00Z')}000000-`);
  });
});

describe('errors', () => {
  it.each([
    [403, 'userRateLimitExceeded', 'provider_rate_limited'],
    [403, 'insufficientPermissions', 'provider_scope_missing'],
    [403, 'accessNotConfigured', 'provider_configuration'],
    [401, 'authError', 'provider_token_expired'],
  ])('%i with reason %s are %s', (status, reason, code) => {
    const body = { error: { code: status, message: 'x', errors: [{ reason }] } };
    expect(classifyGoogleFit({ status, headers: {}, body }).code).toBe(code);
  });
});

describe('a stream that the user does not have', () => {
  const recorded = JSON.parse(readFileSync(new URL('fixtures/cases/missing-stream.json', import.meta.url), 'utf8')) as {
    readonly calls: readonly [{ readonly answer: { readonly error: { readonly message: string } } }, { readonly answer: object }];
  };

  it('leaves its own field of the day empty and no other', async () => {
    const [refused, others] = recorded.calls;
    const day = { startDate: '2026-06-19', endDate: '2026-06-19' };
    const http = createFakeHttp(({ json }) =>
      JSON.stringify(json).includes('resting_heart_rate') ? refuse(400, refused.answer.error.message) : others.answer,
    );
    const context = { http, user: { ...user, fallbackTimeZone: 'UTC' }, window: day, signal: AbortSignal.timeout(5000), now };
    const pages: PulledPage[] = [];
    for await (const page of pullOf('activity').pull(context)) pages.push(page);
    const summaries = pages.flatMap(({ records }) => records).filter(({ resource }) => resource === 'activity');
    expect(summaries).toMatchObject([{ calendarDate: '2026-06-19', data: { steps: 4321, heart_rate: { resting_bpm: null } } }]);
  });

  it.each([
    [400, 'no default datasource found for: com.google.weight'],
    [400, 'datasource not found: derived:com.google.weight:com.google.android.gms:merge_weight'],
    [404, 'DataSourceId not found: derived:com.google.weight:com.google.android.gms:merge_weight'],
    [404, 'Datasource not found: raw'],
  ])('is recognised by status %i and the text %s', (status, message) => {
    const verdict = classifyGoogleFit({ status, headers: {}, body: { error: { code: status, message } } });
    expect(verdict).toEqual({ code: 'provider_permanent', details: { reason: 'no_data_source' } });
  });

  it('is not assumed of any other wrong request', () => {
    const body = { error: { code: 400, message: 'Require at least one aggregateby' } };
    expect(classifyGoogleFit({ status: 400, headers: {}, body }).details).toBeUndefined();
  });
});
