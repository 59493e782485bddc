import { afterAll, beforeAll, expect, test } from 'vitest';
import { planRefresh } from '@pulsewire/ingest';
import { demoAccounts } from '@pulsewire/sandbox';
import { useDatabase } from '../../support/database.ts';
import { createFitbitHarness, type FitbitHarness } from './support/fitbit-harness.ts';

const database = useDatabase();
/** Older days than the gap do not matter here. */
const historyDays = 3;
let harness: FitbitHarness;
beforeAll(async () => {
  harness = await createFitbitHarness(database.current, { historyDays });
}, 60_000);
afterAll(() => harness.close());

const minuteMs = 60_000;
const dayMinutes = 1440;
/** Longer than what polls read again. */
const silentDays = 6;

/** A person whose tracker last synced `backlogMinutes` ago. */
function person(name: string, backlogMinutes: number) {
  const [spec] = demoAccounts(1);
  if (!spec) throw new Error('No account');
  return harness.simulator.addAccount({ ...spec, name, backlogMinutes });
}

/** The end of the last minute of each series, and how many minutes there are. */
async function minutesOf(userId: string): Promise<Record<string, { readonly last: string; readonly count: number }>> {
  const rows = await database.current.sql<{ resource: string; last: string; count: number }[]>`
    SELECT resource, max(end_ts) AS last, count(*)::int AS count FROM all_samples JOIN sources USING (user_source_id) JOIN series USING (series)
    WHERE user_id = ${userId} AND resource IN ('steps', 'distance', 'floors_climbed', 'calories_active') GROUP BY resource`;
  return Object.fromEntries(rows.map(({ resource, last, count }) => [resource, { last: new Date(last).toISOString(), count }]));
}

const refresh = (connectionId: string) => database.current.transaction((tx) => planRefresh(harness.plan, tx, connectionId));

test('stores no minute after the last sync until a later sync is announced', async () => {
  const late = person('Late', 150);
  const { userId, connectionId } = await harness.link(late.name);
  await harness.drainAll();
  const syncedAt = late.syncedUntil();
  const before = await minutesOf(userId);
  expect(Object.keys(before)).toHaveLength(4);
  for (const { last } of Object.values(before)) expect(last).toBe(syncedAt.toISOString());

  harness.clock.advance(60 * minuteMs);
  await refresh(connectionId);
  await harness.service.drain();
  expect(await minutesOf(userId)).toEqual(before);

  harness.clock.advance(minuteMs);
  harness.simulator.publish({ account: late.name, minutes: dayMinutes });
  await harness.simulator.pushes.settled();
  await harness.service.drain();
  const after = await minutesOf(userId);
  for (const { last } of Object.values(after)) expect(last).toBe(late.syncedUntil().toISOString());
  const passed = (late.syncedUntil().getTime() - syncedAt.getTime()) / minuteMs;
  expect(passed).toBeGreaterThan(200);
  for (const [resource, { count }] of Object.entries(after)) expect(count).toBe((before[resource]?.count ?? 0) + passed);
}, 120_000);

test('reads the days of a sync gap again after the tracker syncs, announced or not', async () => {
  const silent = person('Silent', 10);
  const { userId, connectionId } = await harness.link(silent.name);
  await harness.drainAll();
  harness.clock.advance(silentDays * dayMinutes * minuteMs);
  await refresh(connectionId);
  await harness.drainAll();
  const before = await minutesOf(userId);
  for (const { last } of Object.values(before)) expect(last).toBe(silent.syncedUntil().toISOString());

  harness.clock.advance(minuteMs);
  harness.simulator.publish({ account: silent.name, minutes: silentDays * dayMinutes });
  await harness.simulator.pushes.settled();
  await harness.drainAll();
  const after = await minutesOf(userId);
  for (const [resource, { count, last }] of Object.entries(after)) {
    expect(last).toBe(silent.syncedUntil().toISOString());
    expect(count).toBe((before[resource]?.count ?? 0) + silentDays * dayMinutes);
  }
}, 120_000);
