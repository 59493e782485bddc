import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planHistoricalPull } from '@pulsewire/ingest';
import { useDatabase } from '../../support/database.ts';
import { createFitbitHarness, type FitbitHarness } from './support/fitbit-harness.ts';
import { eventsOf, windowsOf } from './support/harness.ts';

const database = useDatabase();
let harness: FitbitHarness;
beforeAll(async () => {
  harness = await createFitbitHarness(database.current);
}, 60_000);
afterAll(() => harness.close());

/** Everything stored for a user, without the values that differ between users. */
async function recordsOf(userId: string): Promise<readonly string[]> {
  const samples = await database.current.sql<{ line: string }[]>`
    SELECT concat_ws(' ', source_type, resource, sub_kind, ts, value, end_ts, tz_offset) AS line
    FROM all_samples JOIN sources USING (user_source_id) JOIN series USING (series) WHERE user_id = ${userId}`;
  const summaries = await database.current.sql<{ line: string }[]>`
    SELECT concat_ws(' ', resource, calendar_date, at) AS line FROM summaries WHERE user_id = ${userId}`;
  return [...samples, ...summaries].map((row) => row.line).toSorted();
}

describe('Fitbit, through its simulator', () => {
  test('is read completely within its quota, and a second reading changes nothing', async () => {
    const [ada] = harness.simulator.accounts;
    const { connectionId, userId } = await harness.link(ada?.name ?? '');
    const hours = await harness.drainAll();
    expect(hours).toBeGreaterThan(0);
    expect(harness.simulator.statistics().quotaBreaches).toBe(0);
    const windows = await windowsOf(database.current, connectionId);
    expect(windows.filter((window) => window.state !== 'done')).toEqual([]);
    expect(windows.every((window) => window.error_code === null)).toBe(true);

    const records = await recordsOf(userId);
    expect(records.length).toBeGreaterThan(10_000);
    const completed = (await eventsOf(database.current, userId, 'historical.%')).map((event) => event.event_type);
    expect(new Set(completed).size).toBe(completed.length);
    expect(completed).toContain('historical.data.steps.created');
    expect(completed).toContain('historical.data.sleep.created');

    const before = (await eventsOf(database.current, userId, 'daily.%')).length;
    await database.current.transaction((tx) => planHistoricalPull(harness.plan, tx, connectionId));
    await harness.drainAll();
    expect(await recordsOf(userId)).toEqual(records);
    expect((await eventsOf(database.current, userId, 'daily.%')).length).toBe(before);
  }, 120_000);

  test('yields the same data when calls fail at random', async () => {
    const [, bruno] = harness.simulator.accounts;
    // A week makes enough calls for every kind of failure.
    harness.setHistoryDays(7);
    const good = await harness.link(bruno?.name ?? '');
    await harness.drainAll();
    harness.simulator.faults.set({
      http_503: 0.1,
      http_500: 0.05,
      cut: 0.05,
      malformed_json: 0.05,
      rate_limited: 0.02,
      token_expired_early: 0.02,
    });
    const bad = await harness.link(bruno?.name ?? '');
    await harness.drainAll(60);
    const strikes = Object.values(harness.simulator.faults.counts()).reduce((sum, count) => sum + count, 0);
    harness.simulator.faults.clear();
    expect(strikes).toBeGreaterThan(20);
    const windows = await windowsOf(database.current, bad.connectionId);
    expect(windows.filter((window) => window.lane === 'backfill' && window.state !== 'done')).toEqual([]);
    expect(await recordsOf(bad.userId)).toEqual(await recordsOf(good.userId));
  }, 120_000);

  test('announces new minutes, which are then read, and a revoked consent, which ends the connection once', async () => {
    const [ada] = harness.simulator.accounts;
    if (!ada) throw new Error('No account');
    harness.setHistoryDays(2);
    const { connectionId, userId } = await harness.link(ada.name);
    await harness.drainAll();
    const before = (await recordsOf(userId)).length;
    harness.clock.advance(2 * 3_600_000);
    harness.simulator.publish({ account: ada.name, minutes: 180, revise: 2 });
    await harness.simulator.pushes.settled();
    expect(harness.simulator.statistics().pushes.failed).toBe(0);
    await harness.service.drain();
    expect((await recordsOf(userId)).length).toBeGreaterThan(before);

    ada.revoke();
    await harness.simulator.pushes.settled();
    await harness.service.drain();
    const [connection] = await database.current.sql`SELECT status, error_type FROM connections WHERE connection_id = ${connectionId}`;
    expect(connection).toEqual({ status: 'error', error_type: 'deregistered_per_provider' });
    expect(await eventsOf(database.current, userId, 'provider.connection.error')).toHaveLength(1);
  }, 120_000);
});
