import { createIngest, planRefresh, planUserRefresh, readRefresh, type Ingest, type IngestSettings } from '@pulsewire/ingest';
import type { Connector, PullSpec, QuotaRule } from '@pulsewire/providers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { sendPush, withPush, wristbandSource } from '../support/push-harness.ts';
import { renormaliseWith } from '../support/vault-harness.ts';
import { createHarness, eventsOf, samplesOf, today, windowsOf, type Linked, type StoredWindow, type Harness } from '../support/harness.ts';
import { providerError, rateLimited } from '../support/wristband.ts';

const database = useDatabase({ connectionsMax: 20 });
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const callsOfDay = 50;
let harness: Harness;
beforeEach(async () => {
  harness = await createHarness(database.current);
  await database.current.sql`TRUNCATE provider_budgets, raw_answers`;
});
afterEach(() => harness.close());

const perMinute = (requests: number): QuotaRule => ({ scope: 'app', requests, perMs: minuteMs, window: 'sliding' });

/** A wristband where each day of a heavy user takes `calls` calls. */
function wristbandOf(quotas: readonly QuotaRule[], heavy: readonly string[], calls = callsOfDay): Connector {
  const [spec] = harness.wristband.connector.pulls as [PullSpec];
  const pull: PullSpec['pull'] = async function* (request) {
    const more = heavy.includes(request.user.userId) ? calls - 1 : 0;
    for (let page = 1; page <= more; page++) await request.http.get(`/moves/${request.window.startDate}`, { page: String(page) });
    yield* spec.pull(request);
  };
  return { ...harness.wristband.connector, quotas, pulls: [{ ...spec, chunkDays: 1, pull }] };
}

function startAt(connector: Connector, settings: Partial<IngestSettings> = {}): Ingest {
  const { options } = harness;
  const waits = { quotaWaitMs: 0, quotaWaitStartedMs: 0, ...settings };
  return createIngest({ ...options, connectorFor: () => connector, settings: { ...options.settings, ...waits } });
}

/** Links a user whose only window is the live one of today. */
async function linkToday(): Promise<Linked> {
  const linked = await harness.link({ scopes: ['move'], ingestionStart: today });
  await database.current.sql`UPDATE pull_windows SET state = 'done' WHERE lane = 'backfill'`;
  return linked;
}

const todayOf = async ({ connectionId }: Linked): Promise<StoredWindow> => {
  const found = (await windowsOf(database.current, connectionId)).find(({ lane, end_date: day }) => lane === 'live' && day === today);
  if (!found) throw new Error('No window');
  return found;
};
const stateOf = ({ state, attempts, runs, error_code: code }: StoredWindow) => [state, attempts, runs, code];

/** Drains `minutes` times, advancing the clock by `stepMs` each time; returns the calls of each step. */
async function workFor(ingest: Ingest, minutes: number, stepMs = minuteMs + 3000): Promise<readonly number[]> {
  const perStep: number[] = [];
  for (let step = 0; step < minutes; step++) {
    const before = harness.wristband.calls.length;
    await ingest.drain();
    perStep.push(harness.wristband.calls.length - before);
    harness.clock.advance(stepMs);
  }
  return perStep;
}

describe('a day that needs two and a half times the calls of its quota', () => {
  test('resumes where it was cut short, makes each request once, and stores its data once', async () => {
    const heavy = await linkToday();
    const connector = wristbandOf([perMinute(20)], [heavy.userId]);
    const perStep = await workFor(startAt(connector), 4);
    expect(stateOf(await todayOf(heavy))).toEqual(['done', 0, 1, null]);
    expect(Math.max(...perStep)).toBeLessThanOrEqual(20);
    expect(perStep.reduce((sum, calls) => sum + calls, 0)).toBe(callsOfDay);
    expect(await samplesOf(database.current, heavy.userId)).toBe(6);
    expect((await eventsOf(database.current, heavy.userId, 'daily.data.steps.%')).length).toBe(1);
    // The vault holds one complete reading too.
    expect(await renormaliseWith(database.current, connector)).toMatchObject({
      runs: 1,
      responses: callsOfDay,
      created: 0,
      updated: 0,
      notInVault: 0,
    });
  });

  test('resumes in the same way under a quota of one user', async () => {
    const heavy = await linkToday();
    const rule: QuotaRule = { scope: 'user', requests: 20, perMs: hourMs, window: 'aligned' };
    const perStep = await workFor(startAt(wristbandOf([rule], [heavy.userId])), 4, hourMs + 3000);
    expect(stateOf(await todayOf(heavy))).toEqual(['done', 0, 1, null]);
    expect(Math.max(...perStep)).toBeLessThanOrEqual(20);
  });

  test('resumes in the same way when the quota is unknown and the provider rejects', async () => {
    const heavy = await linkToday();
    let left = 20;
    harness.wristband.onCall = () => {
      if (left-- <= 0) throw rateLimited(minuteMs);
    };
    const ingest = startAt(wristbandOf([], [heavy.userId]));
    for (let minute = 0; minute < 4; minute++, left = minute === 1 ? 0 : 20) await workFor(ingest, 1);
    expect(stateOf(await todayOf(heavy))).toEqual(['done', 0, 1, null]);
    // Refusals are not stored as responses: a provider that only refuses must not fill the vault.
    expect(await database.current.sql`SELECT sum(answers)::int AS answers FROM raw_answers`).toEqual([{ answers: callsOfDay }]);
  });

  test('does not deprive other connections of their turns', async () => {
    const heavy = await linkToday();
    const ingest = startAt(wristbandOf([perMinute(10)], [heavy.userId]));
    await workFor(ingest, 1);
    const light = await Promise.all(Array.from({ length: 6 }, () => linkToday()));
    // The heavy one keeps its place for three more turns that are cut short, then it queues behind the others.
    await workFor(ingest, 4);
    for (const linked of light) expect(stateOf(await todayOf(linked))).toEqual(['done', 0, 1, null]);
    expect((await todayOf(heavy)).state).toBe('planned');
    await workFor(ingest, 6);
    expect(stateOf(await todayOf(heavy))).toEqual(['done', 0, 1, null]);
  });

  test('is read again if a push announced new data while it waited', async () => {
    const heavy = await linkToday();
    const connector = wristbandOf([perMinute(20)], [heavy.userId]);
    const ingest = startAt(connector);
    await workFor(ingest, 1);
    const notice = { user: heavy.providerUserId, collection: 'activity', day: today };
    expect((await sendPush(database.current, harness, connector, [notice])).status).toBe(204);
    await workFor(ingest, 8);
    expect(stateOf(await todayOf(heavy))).toEqual(['done', 0, 2, null]);
    expect(harness.wristband.calls.length).toBe(2 * callsOfDay);
  });

  test('repeats only one request when responses exceed one part of the vault', async () => {
    const heavy = await linkToday();
    const { options } = harness;
    const more = 'x'.repeat(6 * 1024 * 1024);
    const sendFor: typeof options.sendFor = (request) => {
      const send = options.sendFor(request);
      const isLarge = (query: { readonly page?: string } = {}) => Number(query.page ?? 9) <= 3;
      return async (method, path, call) => ({
        ...(await send(method, path, call)),
        body: { value: 1, more: isLarge(call.query) ? more : '' },
      });
    };
    const connector = wristbandOf([perMinute(4)], [heavy.userId], 8);
    const settings = { ...options.settings, quotaWaitMs: 0, quotaWaitStartedMs: 0 };
    await workFor(createIngest({ ...options, sendFor, connectorFor: () => connector, settings }), 3);
    expect(stateOf(await todayOf(heavy))).toEqual(['done', 0, 1, null]);
    expect(harness.wristband.calls.length).toBe(8 + 1);
  });

  test.each(['provider_permanent', 'provider_scope_missing'] as const)(
    'restarts when the provider no longer accepts the point of resumption: %s',
    async (code) => {
      const heavy = await linkToday();
      const ingest = startAt(wristbandOf([perMinute(20)], [heavy.userId]));
      await workFor(ingest, 1);
      harness.wristband.onCall = () => {
        harness.wristband.onCall = () => {};
        throw providerError(code, { status: 400 });
      };
      await workFor(ingest, 6);
      expect(stateOf(await todayOf(heavy))).toEqual(['done', 0, 1, null]);
      expect(harness.wristband.calls.length).toBe(20 + 1 + callsOfDay);
    },
  );

  test('restarts when the user has linked again, possibly another account', async () => {
    const heavy = await linkToday();
    const ingest = startAt(wristbandOf([perMinute(20)], [heavy.userId]));
    await workFor(ingest, 1);
    await database.current.sql`UPDATE pull_plans SET linked_at = ${harness.clock.now().toISOString()}`;
    await workFor(ingest, 4);
    expect(stateOf(await todayOf(heavy))).toEqual(['done', 0, 1, null]);
    expect(harness.wristband.calls.length).toBe(20 + callsOfDay);
  });

  test('completes without a raw vault as well, and leaves nothing behind even after a restart', async () => {
    const heavy = await linkToday();
    const ingest = startAt(wristbandOf([perMinute(20)], [heavy.userId]), { storeRawResponses: false });
    await workFor(ingest, 2);
    expect((await database.current.sql`SELECT 1 FROM raw_answers`).length).toBeGreaterThan(0);
    harness.wristband.onCall = () => {
      harness.wristband.onCall = () => {};
      throw providerError('provider_permanent', { status: 400 });
    };
    await workFor(ingest, 7);
    expect(stateOf(await todayOf(heavy))).toEqual(['done', 0, 1, null]);
    // The first run kept nothing, the second restarted, and the next kept nothing either: a restarted run is not resumed.
    expect(harness.wristband.calls.length).toBe(20 + 20 + 1 + 20 + callsOfDay);
    expect(await database.current.sql`SELECT 1 FROM raw_answers`).toEqual([]);
  });
});

test('gives up a day that needs more calls than its daily quota, and ignores later notifications of it', async () => {
  const heavy = await linkToday();
  const rule: QuotaRule = { scope: 'app', requests: 20, perMs: 24 * hourMs, window: 'aligned' };
  const connector = wristbandOf([rule], [heavy.userId]);
  const ingest = startAt(connector);
  const first = await workFor(ingest, 1, hourMs);
  // A notification would otherwise cause another read at once, and use up the quota of the next day too.
  await sendPush(database.current, harness, connector, [{ user: heavy.providerUserId, collection: 'activity', day: today }]);
  const perStep = [...first, ...(await workFor(ingest, 25, hourMs))];
  expect(stateOf(await todayOf(heavy))).toEqual(['given_up', 1, 1, 'window_exceeds_quota']);
  // Polls do not plan it for a day.
  const poll = () =>
    database.current.transaction((tx) => planRefresh({ ...harness.plan, connectorFor: () => connector }, tx, heavy.connectionId));
  await poll();
  expect((await todayOf(heavy)).state).toBe('given_up');
  harness.clock.advance(24 * hourMs);
  await poll();
  expect((await todayOf(heavy)).state).toBe('planned');
  // The rest of the first day's quota and part of the second day's; other connections get the remainder.
  expect(perStep.reduce((sum, calls) => sum + calls, 0)).toBeLessThan(40);
});

test('a refresh whose window is cut short completes only when all of its days are read', async () => {
  const { connectionId } = await harness.link({ scopes: ['move'] });
  await harness.ingest.drain();
  const [refresh, ...others] = await database.current.transaction((tx) => planUserRefresh(harness.plan, tx, connectionId));
  if (!refresh || others.length > 0) throw new Error('Not one window');
  harness.wristband.calls.length = 0;
  const ingest = startAt({ ...harness.wristband.connector, quotas: [perMinute(1)] });
  const seen: string[] = [];
  for (let minute = 0; minute < 3; minute++) {
    await workFor(ingest, 1);
    const states = await readRefresh(database.current, harness.clock, [refresh.windowId]);
    seen.push(`${harness.wristband.calls.map(({ day }) => day).join(' ')}: ${states.get(refresh.windowId)}`);
  }
  expect(seen).toEqual(['2026-03-18: in_progress', '2026-03-18 2026-03-19: in_progress', '2026-03-18 2026-03-19 2026-03-20: refreshed']);
});

test('data removed while a window waits for quota is not restored by its earlier responses', async () => {
  const linked = await harness.link({ scopes: ['move'] });
  await harness.ingest.drain();
  const [spec] = harness.wristband.connector.pulls as [PullSpec];
  const times = [0, 1, 2].map((hour) => Date.parse('2026-03-18T00:00:00Z') + hour * hourMs);
  const removeObject: PullSpec['removeObject'] = () =>
    spec.resources.map((resource) => ({ kind: 'sample_removal', resource, source: wristbandSource, ts: times }));
  const connector = withPush(harness, {}, { quotas: [perMinute(2)], pulls: [{ ...spec, removeObject }] });
  await database.current.transaction((tx) => planUserRefresh(harness.plan, tx, linked.connectionId));
  const ingest = startAt(connector);
  await ingest.drain();
  const before = await samplesOf(database.current, linked.userId);
  const removed = { kind: 'removed', providerUserId: linked.providerUserId, collection: 'activity', objectId: '18' };
  await sendPush(database.current, harness, connector, [removed]);
  await ingest.drain();
  expect(await samplesOf(database.current, linked.userId)).toBe(before - 6);
  harness.clock.advance(minuteMs + 3000);
  await workFor(ingest, 2);
  expect((await windowsOf(database.current, linked.connectionId)).every(({ state }) => state === 'done')).toBe(true);
  expect(await samplesOf(database.current, linked.userId)).toBe(before - 6);
});
