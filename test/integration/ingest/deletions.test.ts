import { afterAll, beforeAll, expect, test } from 'vitest';
import { planRefresh } from '@pulsewire/ingest';
import { demoAccounts } from '@pulsewire/sandbox';
import { useDatabase } from '../../support/database.ts';
import { createFitbitHarness, type FitbitHarness } from './support/fitbit-harness.ts';
import { eventsOf } from './support/harness.ts';

const database = useDatabase();
let harness: FitbitHarness;
beforeAll(async () => {
  harness = await createFitbitHarness(database.current, { accounts: 3, historyDays: 12 });
}, 60_000);
afterAll(() => harness.close());

const hourMs = 3_600_000;

interface Row {
  readonly resource: string;
  readonly day: string;
  readonly id: string;
}

/** Summaries of the last days. */
async function summariesOf(userId: string, since: string): Promise<Row[]> {
  return database.current.sql<Row[]>`
    SELECT resource, calendar_date::text AS day, id::text FROM summaries WHERE user_id = ${userId} AND calendar_date >= ${since}::date ORDER BY 1, 2, 3`;
}

async function samplesOf(userId: string, resource: string): Promise<number> {
  const [row] = await database.current.sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM all_samples JOIN sources USING (user_source_id) JOIN series USING (series)
    WHERE user_id = ${userId} AND resource = ${resource}`;
  return row?.count ?? 0;
}

const of = (rows: readonly Row[], resource: string) => rows.filter((row) => row.resource === resource);

async function settle(): Promise<void> {
  await harness.simulator.pushes.settled();
  await harness.drainAll();
}

function account(index: number) {
  const found = harness.simulator.accounts[index];
  if (!found) throw new Error('No account');
  return found;
}

test('removes what was deleted at the provider, and stores an edited night once', async () => {
  const ada = account(0);
  const { userId } = await harness.link(ada.name);
  await harness.drainAll();
  const before = await summariesOf(userId, '2026-03-10');
  const nights = of(before, 'sleep').map(({ day }) => day);
  const [edited = '', deleted = ''] = [nights.at(-1), nights.at(-3)];
  const workoutDay = of(before, 'workouts').at(-2)?.day ?? '';
  const [streams, hrv] = [
    await database.current.sql`SELECT 1 FROM workout_streams WHERE user_id = ${userId}`,
    await samplesOf(userId, 'hrv'),
  ];

  harness.clock.advance(hourMs);
  ada.editSleep(edited);
  ada.deleteLogs('sleep', deleted);
  ada.deleteLogs('workout', workoutDay);
  ada.logFood(edited, 700);
  await settle();
  const after = await summariesOf(userId, '2026-03-10');
  const nightsOn = (rows: readonly Row[], day: string) => of(rows, 'sleep').filter((row) => row.day === day);
  expect(nightsOn(after, edited)).toHaveLength(nightsOn(before, edited).length);
  expect(nightsOn(after, edited)).not.toEqual(nightsOn(before, edited));
  expect(nightsOn(after, deleted)).toHaveLength(nightsOn(before, deleted).length - 1);
  expect(of(after, 'sleep_cycle')).toHaveLength(of(before, 'sleep_cycle').length - 1);
  expect(of(after, 'workouts').filter(({ day }) => day === workoutDay)).toEqual([]);
  expect((await database.current.sql`SELECT 1 FROM workout_streams WHERE user_id = ${userId}`).length).toBeLessThan(streams.length);
  expect(await samplesOf(userId, 'hrv')).toBeLessThan(hrv);
  expect(of(after, 'meal')).toHaveLength(1);

  harness.clock.advance(hourMs);
  ada.deleteFoods(edited);
  await settle();
  expect(of(await summariesOf(userId, '2026-03-10'), 'meal')).toEqual([]);
  expect((await eventsOf(database.current, userId, 'daily.%')).filter(({ event_type: type }) => type.includes('deleted'))).toEqual([]);
}, 120_000);

test('removes nothing while a part of the response cannot be read, and removes it afterwards', async () => {
  const bruno = account(1);
  const { userId } = await harness.link(bruno.name);
  await harness.drainAll();
  const before = of(await summariesOf(userId, '2026-03-10'), 'workouts');
  const day = before.at(-2)?.day ?? '';
  const left = before.filter((row) => row.day !== day);
  harness.clock.advance(hourMs);
  harness.simulator.faults.set({ malformed_item: 1 });
  bruno.deleteLogs('workout', day);
  await settle();
  const unread = of(await summariesOf(userId, '2026-03-10'), 'workouts');
  harness.simulator.faults.clear();
  expect(unread).toEqual(before);
  harness.clock.advance(hourMs);
  bruno.deleteLogs('workout', day);
  await settle();
  expect(of(await summariesOf(userId, '2026-03-10'), 'workouts')).toEqual(left);
}, 120_000);

test('does not remove data of another account of the same user', async () => {
  const [first, second] = [account(2), account(0)];
  const { userId } = await harness.link(first.name);
  await harness.drainAll();
  const own = await summariesOf(userId, '2026-01-01');
  const ownSleeps = of(own, 'sleep').map(({ id }) => id);
  expect(ownSleeps.length).toBeGreaterThan(1);
  await harness.link(second.name, userId);
  await harness.drainAll();
  const both = (await summariesOf(userId, '2026-01-01')).map(({ id }) => id);
  expect(both.length).toBeGreaterThan(own.length);
  expect(ownSleeps.filter((id) => !both.includes(id))).toEqual([]);
}, 120_000);

test('removes a sample that the provider no longer has, only for the source type of the pull', async () => {
  const [spec] = demoAccounts(1);
  if (!spec) throw new Error('No account');
  const { name } = harness.simulator.addAccount({ ...spec, name: 'Owner', historyDays: 3 });
  const { userId, connectionId } = await harness.link(name);
  await harness.drainAll();
  const [foreign] = await database.current.sql<{ id: number }[]>`
    INSERT INTO sources (team_id, user_id, provider, source_type) SELECT team_id, user_id, 'fitbit', 'phone' FROM users WHERE user_id = ${userId} RETURNING user_source_id AS id`;
  await database.current.sql`
    INSERT INTO samples (user_source_id, series, ts, version, value)
    SELECT ${foreign?.id ?? 0}, series, '2026-03-20T03:00:00.500Z', nextval('receipt_versions'), 1 FROM series WHERE resource = 'steps'`;
  await database.current.sql`
    INSERT INTO samples (user_source_id, series, ts, version, value)
    SELECT o.user_source_id, s.series, '2026-03-20T03:00:00.500Z', nextval('receipt_versions'), 1 FROM series s, sources o
    WHERE s.resource = 'steps' AND o.user_id = ${userId} AND o.provider = 'fitbit' AND o.source_type = 'watch'`;
  const before = await samplesOf(userId, 'steps');
  harness.clock.advance(hourMs);
  await database.current.transaction((tx) => planRefresh(harness.plan, tx, connectionId));
  await harness.drainAll();
  expect(await samplesOf(userId, 'steps')).toBe(before - 1);
  expect(await database.current.sql`SELECT 1 FROM all_samples WHERE user_source_id = ${foreign?.id ?? 0}`).toHaveLength(1);
}, 120_000);
