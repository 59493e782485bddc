import { afterAll, beforeAll, expect, test } from 'vitest';
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
