import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readGoogleHealthAccount } from './account.ts';
import { classifyGoogleHealth } from './data-points.ts';
import { createContext, googleScopes } from './google-health.ts';
import { totalTypes } from './mappers/map-activity.ts';
import { mapEcg } from './mappers/map-logs.ts';
import { activityPull, sleepPull } from './pulls/days.ts';
import { providerError } from '../kit/http/provider-error.ts';
import { createFakeHttp, responsesFor, type FakeCall, type FakeResponse } from '../kit/testing/fake-http.ts';
import type { PulledPage, PullSpec, PullUser, PullWindow } from '../kit/types/connector.ts';

type Body = Readonly<Record<string, unknown>>;

interface Case {
  readonly calls: readonly { readonly status?: number; readonly answer: Body }[];
}

const caseOf = async (name: string): Promise<Case> =>
  JSON.parse(await readFile(new URL(`fixtures/cases/${name}.json`, import.meta.url), 'utf8')) as Case;

const user: PullUser = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '31415926',
  grantedScopes: Object.values(googleScopes),
  account: { time_zone: 'America/New_York' },
};

/** Throws what a call does that Google refused. */
function refuse(status: number, body: Body): never {
  const { code, details = {} } = classifyGoogleHealth({ status, headers: {}, body });
  throw providerError(code, { status, ...details });
}

async function pull(spec: PullSpec, respond: FakeResponse, window: PullWindow, of = user) {
  const http = createFakeHttp(respond);
  const pages: PulledPage[] = [];
  const context = { http, user: of, window, signal: AbortSignal.timeout(5000), now: new Date('2026-08-20T12:00:00Z') };
  for await (const page of spec.pull(context)) pages.push(page);
  return { pages, records: pages.flatMap(({ records }) => records), calls: http.calls };
}

describe('faults of the operator', () => {
  it('are told from a scope that the user did not grant', async () => {
    const { calls } = await caseOf('operator-fault');
    const verdicts = calls.map(({ status = 200, answer }) => classifyGoogleHealth({ status, headers: {}, body: answer }));
    expect(verdicts).toEqual([
      { code: 'provider_configuration', details: { reason: 'service_disabled' } },
      { code: 'provider_configuration', details: { reason: 'user_project_denied' } },
      { code: 'provider_scope_missing' },
    ]);
  });
});

describe('a point that names its device only', () => {
  const sleepPath = '/v4/users/me/dataTypes/sleep/dataPoints';
  const night = { startDate: '2026-08-06', endDate: '2026-08-06' };

  async function accountWith(previous: Readonly<Record<string, unknown>>, pairedDevices: unknown, now = new Date('2026-08-20T12:00:00Z')) {
    const http = createFakeHttp(
      responsesFor({
        '/v4/users/me/identity': { healthUserId: '31415926' },
        '/v4/users/me/settings': { timeZone: 'America/New_York' },
        '/v4/users/me/pairedDevices': pairedDevices,
      }),
    );
    return readGoogleHealthAccount({ http, grantedScopes: [googleScopes.settings], previous, now });
  }

  async function nightWith(account: Readonly<Record<string, unknown>>) {
    const { calls } = await caseOf('device-name');
    const respond = responsesFor({ [sleepPath]: calls[1]?.answer });
    const found = await pull(sleepPull, respond, night, { ...user, grantedScopes: [googleScopes.sleep], account });
    return found.records;
  }

  it('has the source type of the paired device of that name, which is that of its device', async () => {
    const { calls } = await caseOf('device-name');
    const { account, completed } = await accountWith({}, calls[0]?.answer);
    const records = await nightWith(account);
    expect(records).toMatchObject([
      { kind: 'summary', resource: 'sleep', source: { type: 'watch', device: { sourceType: 'watch' } } },
      { kind: 'summary', resource: 'sleep_cycle', source: { type: 'watch' } },
    ]);
    // Nothing was stored before the first facts.
    expect(completed).toBeUndefined();
  });

  it('replaces what was stored before its device was known, and has the stored days read again', async () => {
    const { calls } = await caseOf('device-name');
    const before = await nightWith({ time_zone: 'America/New_York' });
    expect(before).toMatchObject([{ source: { type: 'unknown' } }, { source: { type: 'unknown' } }]);
    const { account, completed } = await accountWith({ time_zone: 'America/New_York', devices: [] }, calls[0]?.answer);
    expect(completed).toEqual({ startDate: '2025-08-20', endDate: '2026-08-20' });
    const after = await nightWith(account);
    const removed = after.flatMap((record) => (record.kind === 'summary_removal' ? [record.id] : []));
    expect(removed).toEqual(before.map((record) => (record.kind === 'summary' ? record.id : null)));
  });

  it('keeps its type after the device was removed from the account', async () => {
    const { calls } = await caseOf('device-name');
    const { account } = await accountWith({}, calls[0]?.answer);
    const { account: later } = await accountWith(account, { pairedDevices: [] });
    expect(await nightWith(later)).toMatchObject([{ source: { type: 'watch' } }, { source: { type: 'watch' } }]);
  });

  it('is unknown when no device of the account has that name', async () => {
    const { account } = await accountWith({}, { pairedDevices: [{ name: 'a/1', deviceType: 'TRACKER', deviceVersion: 'Inspire 2' }] });
    expect(await nightWith(account)).toMatchObject([{ source: { type: 'unknown' } }, { source: { type: 'unknown' } }]);
  });
});

it('gives an old electrocardiogram with a stated offset of zero the offset of the account’s zone', async () => {
  const { calls } = await caseOf('old-ecg');
  const { records, quarantined } = mapEcg(calls[0]?.answer, { startDate: '2025-03-10', endDate: '2025-03-10' }, createContext(user));
  expect(quarantined).toEqual([]);
  expect(records[0]).toMatchObject({ resource: 'electrocardiogram', calendarDate: '2025-03-10', offsetFrom: 'provider' });
  expect(records[1]).toMatchObject({ samples: [{ timezoneOffset: -14_400, offsetFrom: 'provider' }, {}, {}] });
});

describe('daily totals', () => {
  const dayOf = (civil: { date: { year: number; month: number; day: number } }) =>
    Date.UTC(civil.date.year, civil.date.month - 1, civil.date.day) / 86_400_000;

  /** A server with steps on every day. It refuses ranges over 14 days, and cuts the oldest days off a page. */
  function serverWhere({ endCounts, hasTokens }: { endCounts: boolean; hasTokens: boolean }) {
    return ({ path, json }: FakeCall): unknown => {
      if (!path.includes('/steps/')) return {};
      const {
        range,
        pageSize,
        pageToken = '0',
      } = json as {
        readonly range: { readonly start: Parameters<typeof dayOf>[0]; readonly end: Parameters<typeof dayOf>[0] };
        readonly pageSize: number;
        readonly pageToken?: string;
      };
      const [first, end] = [dayOf(range.start), dayOf(range.end) + (endCounts ? 1 : 0)];
      if (end - first > 14) refuse(400, { error: { code: 400, message: 'range is too long' } });
      const days = Array.from({ length: end - first }, (_, index) => end - 1 - index);
      const from = Number(pageToken);
      const rollupDataPoints = days.slice(from, from + pageSize).map((day) => {
        const date = new Date(day * 86_400_000);
        const civil = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
        return { civilStartTime: { date: civil, time: {} }, steps: { countSum: '1000' } };
      });
      const hasMore = hasTokens && from + pageSize < days.length;
      return { rollupDataPoints, ...(hasMore && { nextPageToken: String(from + pageSize) }) };
    };
  }

  it.each([
    [false, false, 1],
    [true, false, 1],
    [true, true, 1],
    [false, false, 13],
    [true, false, 13],
  ])('are those of the days asked for: the end of a range counts: %s, tokens: %s, %i days', async (endCounts, hasTokens, days) => {
    const window = { startDate: days === 1 ? '2026-08-13' : '2026-08-01', endDate: '2026-08-13' };
    const { records, calls } = await pull(activityPull, serverWhere({ endCounts, hasTokens }), window);
    expect(activityPull.chunkDays).toBe(13);
    expect(records.map((record) => (record.kind === 'summary' ? record.calendarDate : null))).toHaveLength(days);
    expect(records).toContainEqual(expect.objectContaining({ calendarDate: window.startDate }));
    expect(calls.filter(({ method }) => method === 'POST')[0]?.json).toMatchObject({ pageSize: days + 1 });
  });

  const oneDay = { startDate: '2026-08-13', endDate: '2026-08-13' };
  const total = { civilStartTime: { date: { year: 2026, month: 8, day: 13 } }, steps: { countSum: '5' } };

  it('are complete only when no answer is as long as its page', async () => {
    const answering =
      (...totals: readonly Body[]): FakeResponse =>
      () => ({ rollupDataPoints: totals });
    const short = await pull(activityPull, answering(total), oneDay);
    expect(short.pages[0]?.allOf).toHaveLength(1);
    const full = await pull(activityPull, answering(total, total), oneDay);
    expect(full.pages[0]?.allOf).toEqual([]);
  });

  it('are an error when they are refused for a reason of ours, and never null', async () => {
    const { calls } = await caseOf('refused-roll-up');
    const refused = ['total-calories', 'active-minutes'];
    const respond: FakeResponse = ({ path }) =>
      refused.some((type) => path.includes(`/${type}/`)) ? refuse(400, calls[0]?.answer ?? {}) : calls[1]?.answer;
    await expect(pull(activityPull, respond, oneDay)).rejects.toMatchObject({ code: 'provider_permanent' });
  });

  it.each([
    [404, { error: { code: 404, status: 'NOT_FOUND', message: 'Not found.' } }],
    [400, { error: { code: 400, message: 'x', details: [{ reason: 'INVALID_PARENT_DATA_TYPE_COLLECTION' }] } }],
    [400, { error: { code: 400, message: 'Rollup is not supported for this data type.' } }],
  ])('are left out where Google says with %i that it does not offer them: %j', async (status, answer) => {
    const respond: FakeResponse = ({ path }) =>
      path.includes('/total-calories/') ? refuse(status, answer) : path.includes('/steps/') ? { rollupDataPoints: [total] } : {};
    const { records, pages } = await pull(activityPull, respond, oneDay);
    expect(records).toMatchObject([{ data: { steps: 5, calories_total: null } }]);
    expect(pages[0]?.allOf).toEqual([]);
    expect(totalTypes).toContain('total-calories');
  });
});
