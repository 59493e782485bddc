import { createIngest, type Ingest, type IngestSettings } from '@pulsewire/ingest';
import { eachDay, type PullSpec, type QuotaRule } from '@pulsewire/providers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createHarness, eventsOf, windowsOf, type Harness } from '../support/harness.ts';
import { rateLimited } from '../support/wristband.ts';

const database = useDatabase({ connectionsMax: 20 });
const minuteMs = 60_000;
let harness: Harness;
beforeEach(async () => {
  harness = await createHarness(database.current);
  await database.current.sql`TRUNCATE provider_budgets`;
});
afterEach(() => harness.close());

/** Two ingest processes on a wristband with these quotas. */
function startTwo(quotas: readonly QuotaRule[]): { drain(): Promise<void>; readonly one: Ingest; readonly two: Ingest } {
  const connector = { ...harness.wristband.connector, quotas };
  const options = {
    ...harness.options,
    connectorFor: () => connector,
    settings: { ...harness.options.settings, quotaWaitMs: 0, quotaWaitStartedMs: 0 },
  };
  const [one, two] = [createIngest(options), createIngest(options)];
  return { one, two, drain: async () => void (await Promise.all([one.drain(), two.drain()])) };
}

const perMinute = (requests: number): QuotaRule => ({ scope: 'app', requests, perMs: minuteMs, window: 'sliding' });
const callsOf = (connectionId: string) => harness.wristband.calls.filter((call) => call.accessToken === connectionId).length;
const openOf = async (connectionId: string) =>
  (await windowsOf(database.current, connectionId)).filter((window) => window.state === 'planned').length;

/** Each connection's token is its id, so that calls can be distinguished. */
function tellApart(): void {
  Object.assign(harness.options, { accessTokenFor: async (connectionId: string) => ({ accessToken: connectionId, version: 1n }) });
}

describe('an application quota of 20 calls a minute', () => {
  test('is respected by two busy processes, which lose no window and count no failure', async () => {
    const linked = await Promise.all(Array.from({ length: 5 }, () => harness.link()));
    const ingest = startTwo([perMinute(20)]);
    const perRun: number[] = [];
    for (let minutes = 0; minutes < 10; minutes++) {
      const before = harness.wristband.calls.length;
      await ingest.drain();
      perRun.push(harness.wristband.calls.length - before);
      harness.clock.advance(minuteMs + 3000);
    }
    expect(Math.max(...perRun)).toBeLessThanOrEqual(20);
    for (const { connectionId } of linked) {
      const windows = await windowsOf(database.current, connectionId);
      expect(windows.every((window) => window.attempts === 0)).toBe(true);
      expect(windows.filter((window) => window.lane === 'live').every((window) => window.state === 'done')).toBe(true);
    }
  }, 60_000);

  test('is used for the live data of all connections before the history of any', async () => {
    tellApart();
    const linked = await Promise.all(Array.from({ length: 8 }, () => harness.link()));
    const ingest = startTwo([perMinute(20)]);
    for (let minutes = 0; minutes < 2; minutes++) {
      await ingest.drain();
      harness.clock.advance(minuteMs + 3000);
    }
    for (const { connectionId } of linked) {
      const windows = await windowsOf(database.current, connectionId);
      expect(windows.filter((window) => window.lane === 'live').map((window) => window.state)).toEqual(['done', 'done']);
    }
  });

  const servedIn = async (minutes: number, requests: number): Promise<readonly number[]> => {
    tellApart();
    const linked = await Promise.all(Array.from({ length: 6 }, () => harness.link()));
    await database.current.sql`UPDATE pull_windows SET state = 'done' WHERE lane = 'backfill'`;
    const ingest = startTwo([perMinute(requests)]);
    const served = linked.map(() => new Set<string>());
    for (let minute = 0; minute < minutes; minute++) {
      await ingest.drain();
      const plans = await database.current.sql<{ connection_id: string; served_at: string }[]>`
        SELECT connection_id, served_at FROM pull_plans WHERE served_at IS NOT NULL`;
      for (const { connection_id: id, served_at: servedAt } of plans) {
        served[linked.findIndex(({ connectionId }) => connectionId === id)]?.add(servedAt);
      }
      harness.clock.advance(minuteMs + 3000);
      // Each poll reads all the days that it may read again, so that all cost the same.
      await database.current.sql`UPDATE pull_cursors SET reread_at = NULL`;
      await harness.planDuePulls();
      await database.current.sql`UPDATE pull_plans SET next_pull_at = ${harness.clock.now().toISOString()} WHERE waits_for IS NULL`;
    }
    return served.map((times) => times.size);
  };

  test('serves connections of the same cost about equally often', async () => {
    const served = await servedIn(24, 12);
    // The quota allows 48 polls of six calls, eight for each connection.
    expect(Math.min(...served)).toBeGreaterThanOrEqual(5);
    expect(Math.max(...served) - Math.min(...served)).toBeLessThanOrEqual(3);
  }, 60_000);

  test('starts no connection ahead of one whose turn has not ended', async () => {
    tellApart();
    const [late, first] = [await harness.link(), await harness.link()];
    await database.current.sql`
      UPDATE pull_plans SET turn_at = ${harness.clock.now().toISOString()}, turn_lane = 'live', waits_owner = 'platform'
      WHERE connection_id = ${first.connectionId}`;
    await startTwo([perMinute(20)]).one.drain();
    const order = [...new Set(harness.wristband.calls.map(({ accessToken }) => accessToken))];
    expect(order).toEqual([first.connectionId, late.connectionId]);
  });

  test('is not blocked by connections that need more calls than it allows', async () => {
    expect(Math.min(...(await servedIn(25, 4)))).toBeGreaterThan(0);
  }, 60_000);

  test('of the platform is not used by a team with its own application', async () => {
    tellApart();
    const teamId = crypto.randomUUID();
    await database.current.sql`INSERT INTO teams (team_id, name, created_at) VALUES (${teamId}, 'Own', now())`;
    const own = await harness.link({ teamId });
    const ingest = startTwo([perMinute(20)]);
    await ingest.drain();
    expect(callsOf(own.connectionId)).toBeGreaterThan(0);
    const shared = await harness.link();
    await ingest.drain();
    expect(callsOf(shared.connectionId)).toBeGreaterThanOrEqual(16 - 4);
  });
});

describe('a window of more calls than its quota allows at once', () => {
  const calls = 25;
  /** One live window of many calls; the clock runs at five times normal speed. */
  async function startSlow(settings: Partial<IngestSettings>) {
    const quotas: readonly QuotaRule[] = [{ scope: 'app', requests: 20, perMs: 10_000, window: 'aligned' }];
    const [spec] = harness.wristband.connector.pulls;
    if (!spec) throw new Error('No pull');
    const pull: PullSpec['pull'] = async function* (request) {
      for (let call = 1; call < calls; call++) await request.http.get(`/moves/${request.window.startDate}`);
      yield* spec.pull(request);
    };
    const connector = { ...harness.wristband.connector, quotas, pulls: [{ ...spec, pull }] };
    const { connectionId } = await harness.link({ scopes: ['move'] });
    await database.current.sql`UPDATE pull_windows SET state = 'done' WHERE lane = 'backfill'`;
    const timer = setInterval(() => harness.clock.advance(50), 10);
    const options = { ...harness.options, connectorFor: () => connector };
    await createIngest({ ...options, settings: { ...harness.options.settings, windowDeadlineMs: 1000, quotaWaitMs: 100, ...settings } })
      .drain()
      .finally(() => clearInterval(timer));
    return { connectionId, windows: (await windowsOf(database.current, connectionId)).filter(({ lane }) => lane === 'live') };
  }

  test('waits while grants arrive, beyond its deadline, and ends without counting an attempt', async () => {
    const { windows } = await startSlow({ quotaWaitStartedMs: 3000 });
    expect(windows.map(({ state, attempts, runs, error_code: code }) => [state, attempts, runs, code])).toEqual([['done', 0, 1, null]]);
    expect(harness.wristband.calls.length).toBe(calls);
  }, 30_000);

  test('is cut short when its waits exceed their total, then queues without counting an attempt', async () => {
    const { windows, connectionId } = await startSlow({ quotaWaitStartedMs: 3000, quotaWaitTotalMs: 600 });
    expect(windows.map(({ state, attempts, error_code: code }) => [state, attempts, code])).toEqual([
      ['planned', 0, 'provider_quota_spent'],
    ]);
    const plans = await database.current.sql`SELECT waits_for FROM pull_plans WHERE connection_id = ${connectionId}`;
    expect(plans).toEqual([{ waits_for: 'live' }]);
  }, 30_000);

  test('runs to its end: each day is requested once, nothing fails, and its history completes once', async () => {
    const { connectionId, userId } = await harness.link({ scopes: ['move'] });
    const ingest = startTwo([perMinute(3)]);
    for (let minutes = 0; minutes < 12; minutes++) {
      await ingest.drain();
      harness.clock.advance(minuteMs + 3000);
    }
    const windows = (await windowsOf(database.current, connectionId)).filter(({ lane }) => lane === 'backfill');
    expect(windows.every(({ state, attempts }) => state === 'done' && attempts === 0)).toBe(true);
    const days = windows.flatMap(({ start_date: startDate, end_date: endDate }) => [...eachDay({ startDate, endDate })]);
    expect(days.toSorted()).toEqual([...eachDay({ startDate: '2026-03-10', endDate: '2026-03-19' })]);
    expect(harness.wristband.calls.map(({ day }) => day).toSorted()).toEqual([
      ...eachDay({ startDate: '2026-03-10', endDate: '2026-03-20' }),
    ]);
    expect((await eventsOf(database.current, userId, 'historical.data.steps.created')).length).toBe(1);
  }, 60_000);
});

test('ends windows whose request was accepted while the rest of their history waits for a turn', async () => {
  const { connectionId } = await harness.link();
  const { sql } = database.current;
  const at = harness.clock.now();
  await sql`UPDATE pull_windows SET state = 'done' WHERE lane = 'live'`;
  await sql`UPDATE pull_windows SET accepted_at = ${at.toISOString()} WHERE lane = 'backfill' AND pull = 'scales'`;
  await sql`UPDATE pull_plans SET waits_for = 'backfill', waits_owner = 'platform', queue_at = ${at.toISOString()}, account_due_at = ${new Date(at.getTime() + minuteMs).toISOString()}`;
  const state = {
    rules: {},
    stoppedUntilMs: at.getTime() + minuteMs,
    cost: { live: { calls: 0, turns: 0 }, backfill: { calls: 0, turns: 0 } },
  };
  await sql`INSERT INTO provider_budgets (provider, owner, state) VALUES ('wristband', 'platform', ${JSON.stringify(state)}::jsonb)`;
  await startTwo([perMinute(20)]).drain();
  const windows = (await windowsOf(database.current, connectionId)).filter(({ lane }) => lane === 'backfill');
  expect(windows.map(({ pull, state: end }) => `${pull} ${end}`)).toEqual([
    'moves planned',
    'moves planned',
    'moves planned',
    'scales done',
  ]);
  expect(harness.wristband.calls).toEqual([]);
});

test('a 429 with Retry-After stops the connections of all processes until then', async () => {
  tellApart();
  const [first, second] = [await harness.link(), await harness.link()];
  let isLimited = true;
  harness.wristband.onCall = () => {
    if (isLimited) throw rateLimited(10 * minuteMs);
  };
  const ingest = startTwo([perMinute(1000)]);
  await ingest.one.drain();
  await ingest.two.drain();
  const refused = harness.wristband.calls.length;
  expect(refused).toBeLessThanOrEqual(2);
  isLimited = false;
  harness.clock.advance(9 * minuteMs);
  await ingest.drain();
  expect(harness.wristband.calls.length).toBe(refused);
  harness.clock.advance(minuteMs);
  await ingest.drain();
  expect(await openOf(first.connectionId)).toBe(0);
  expect(await openOf(second.connectionId)).toBe(0);
});

test("a user's spent quota delays only that user's connection", async () => {
  tellApart();
  const [first, second] = [await harness.link(), await harness.link()];
  const ingest = startTwo([{ scope: 'user', requests: 60, perMs: 60 * minuteMs, window: 'aligned' }]);
  for (let hours = 0; hours < 2; hours++) {
    await ingest.drain();
    for (const { connectionId } of [first, second]) expect(callsOf(connectionId)).toBeLessThanOrEqual(60 * (hours + 1));
    harness.clock.advance(60 * minuteMs + 3000);
  }
  for (const { connectionId } of [first, second]) expect(callsOf(connectionId)).toBeGreaterThan(20);
});
