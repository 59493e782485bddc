import { afterAll, beforeAll, expect, test } from 'vitest';
import { silentLogger } from '@pulsewire/kernel';
import { planDuePulls } from '@pulsewire/ingest';
import { useDatabase } from '../../support/database.ts';
import { createFitbitHarness, type FitbitHarness } from './support/fitbit-harness.ts';

const database = useDatabase();
let harness: FitbitHarness;
beforeAll(async () => {
  harness = await createFitbitHarness(database.current, { accounts: 1 });
}, 60_000);
afterAll(() => harness.close());

/** Requests to the API by kind, whatever their response; requests of linking are left out. */
function callsByKind(): ReadonlyMap<string, number> {
  const entries = Object.entries(harness.simulator.statistics().requests).map(
    ([kind, byStatus]) => [kind, Object.values(byStatus).reduce((sum, count) => sum + count, 0)] as const,
  );
  return new Map(entries.filter(([kind]) => !/oauth|authorize|token|revoke|introspect|subscription/.test(kind)));
}

test('everything but streams takes at most 150 calls at a first link, and streams wait for it', async () => {
  const [account] = harness.simulator.accounts;
  const { connectionId } = await harness.link(account?.name ?? '');
  await harness.drainAll();
  const calls = callsByKind();
  const windows = await database.current.sql<{ pull: string; lane: string; state: string; started: number; finished: number }[]>`
    SELECT pull, lane, state, date_part('epoch', started_at) AS started, date_part('epoch', finished_at) AS finished
    FROM pull_windows WHERE connection_id = ${connectionId}`;
  expect(windows.filter(({ state }) => state !== 'done')).toEqual([]);
  const streams = windows.filter(({ pull }) => pull === 'workout-streams');
  const tracks = calls.get('activities.tcx') ?? 0;
  expect(tracks).toBeGreaterThan(10);
  // A window of streams requests the list of its workouts once.
  const others = [...calls.values()].reduce((sum, count) => sum + count, 0) - tracks - streams.length;
  expect(others).toBeGreaterThan(75);
  expect(others).toBeLessThanOrEqual(150);
  const lastOther = Math.max(...windows.filter(({ pull }) => pull !== 'workout-streams').map(({ finished }) => finished));
  const firstStream = Math.min(...streams.filter(({ lane }) => lane === 'backfill').map(({ started }) => started));
  expect(firstStream).toBeGreaterThanOrEqual(lastOther);
}, 120_000);

/** The pulls that a poll plans after this time, each with the number of days that it reads. */
async function polledAfter(connectionId: string, minutes: number): Promise<ReadonlyMap<string, number>> {
  harness.clock.advance(minutes * 60_000);
  await planDuePulls({ ...harness.plan, database: database.current, logger: silentLogger });
  const rows = await database.current.sql<{ pull: string; days: number }[]>`
    SELECT pull, sum(end_date - start_date + 1)::int AS days FROM pull_windows
    WHERE connection_id = ${connectionId} AND lane = 'live' AND state = 'planned' GROUP BY pull`;
  await harness.service.drain();
  return new Map(rows.map(({ pull, days }) => [pull, days]));
}

test('once notifications arrive, polls read what they announce every three hours', async () => {
  const [account] = harness.simulator.accounts;
  harness.setHistoryDays(4);
  const { connectionId } = await harness.link(account?.name ?? '');
  await harness.service.drain();
  const unproven = await polledAfter(connectionId, 70);
  expect([unproven.get('steps-intraday'), unproven.get('ecg'), unproven.has('profile')]).toEqual([2, 2, false]);

  harness.simulator.publish({ account: account?.name ?? '', minutes: 60 });
  await harness.simulator.pushes.settled();
  await harness.service.drain();
  const proven = await polledAfter(connectionId, 70);
  expect([proven.get('steps-intraday'), proven.get('ecg')]).toEqual([undefined, 2]);
  const later = await polledAfter(connectionId, 100);
  expect([later.get('steps-intraday'), later.has('profile')]).toEqual([4, false]);
}, 120_000);
