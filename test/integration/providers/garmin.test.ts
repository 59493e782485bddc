import { findConnector } from '@pulsewire/providers';
import { simulators, type Person } from '@pulsewire/sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { eventsOf, summariesOf } from './conformance/stored.ts';
import { createConformanceHarness, type ConformanceHarness, type Linked } from './conformance/harness.ts';

const database = useDatabase();
const limitMs = 60_000;
const [connector, entry] = [findConnector('garmin'), simulators.find(({ slug }) => slug === 'garmin')];
if (!connector || !entry) throw new Error('Garmin is not registered');

describe('garmin: behaviour specific to this provider', () => {
  let harness: ConformanceHarness;
  beforeAll(async () => void (harness = await createConformanceHarness(database.current, connector, entry)), limitMs);
  afterAll(() => harness.close());

  const settle = async () => {
    for (let round = 0; round < 2; round++) {
      await harness.simulator.pushes?.settled();
      await harness.drainAll();
    }
  };
  const requested = () => harness.simulator.requests.filter(({ kind }) => kind === 'backfill').length;
  /** Sends a push as Garmin does, with the given headers. */
  async function push(body: object, headers: Record<string, string> = { 'garmin-client-id': 'CONFORM' }): Promise<number> {
    const url = harness.simulator.pushes?.log.at(-1)?.url ?? '';
    const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    await harness.drain();
    return status;
  }
  /** The last night and day as stored, and as in the truth of the simulated person. */
  async function lastOf({ userId }: Linked, person: Person) {
    const rows = await summariesOf(database.current, userId);
    const newest = (resource: string) => rows.filter((row) => row.resource === resource).at(-1);
    const [day, night] = [newest('activity'), newest('sleep')];
    const truth = person.day(day?.calendar_date ?? '');
    const slept = person.day(night?.calendar_date ?? '')?.sleeps[0]?.secondsOf;
    return {
      stored: { date: day?.calendar_date, steps: day?.data['steps'], state: night?.data['state'], light: night?.data['light'] },
      true: { date: person.today(), steps: truth?.steps, state: 'confirmed', light: slept?.light },
    };
  }

  test(
    'keeps the most complete day and the final night of each user, whatever arrives later',
    async () => {
      const people = ['Ada Lovelace', 'Mary Somerville'].map((name) =>
        harness.simulator.addAccount({ name, timeZone: 'America/New_York', backlogMinutes: 12 * 60, historyDays: 4 }),
      );
      const linked = await Promise.all(people.map((account) => harness.link(account)));
      await settle();
      for (const account of people) {
        account.makeNewData();
        await settle();
        harness.clock.advance(3_600_000);
        account.makeNewData();
        await settle();
      }
      for (const [place, account] of people.entries()) {
        const last = account.truth && (await lastOf(linked[place] as Linked, account.truth));
        expect(last?.stored).toEqual(last?.true);
      }
    },
    limitMs,
  );

  test(
    'requests history only with the permission for it, and as soon as the user grants it',
    async () => {
      const account = harness.simulator.addAccount({ name: 'Sparing Sam', timeZone: 'Europe/Berlin', historyDays: 4 });
      const before = requested();
      const linked = await harness.link(account, { scopes: ['HEALTH_EXPORT', 'ACTIVITY_EXPORT'] });
      await settle();
      expect(requested()).toBe(before);
      expect(await eventsOf(database.current, linked.userId, 'historical.%')).toEqual([]);
      account.permit(['HEALTH_EXPORT', 'HISTORICAL_DATA_EXPORT']);
      await settle();
      expect(harness.simulator.pushes?.log.at(-1)).toMatchObject({ status: 200 });
      expect(requested()).toBeGreaterThan(before);
      const rows = await database.current.sql<{ pull: string; error_code: string | null }[]>`
        SELECT pull, error_code FROM pull_windows WHERE connection_id = ${linked.connectionId} AND lane = 'backfill' AND pull LIKE 'history-%'`;
      expect(rows.some(({ pull }) => pull === 'history-dailies')).toBe(true);
      expect(rows.some(({ pull }) => pull === 'history-activities')).toBe(false);
      expect(rows.every(({ error_code: code }) => code === null)).toBe(true);
      const dailies = () => database.current.sql`SELECT 1 FROM summaries WHERE user_id = ${linked.userId} AND resource = 'activity'`;
      expect((await dailies()).length).toBeGreaterThan(2);
    },
    limitMs,
  );

  test(
    'rejects calls that name another application, and follows no ping to another host',
    async () => {
      const account = harness.simulator.addAccount({ name: 'Careful Carla', timeZone: 'Europe/Berlin', historyDays: 2 });
      const { connectionId } = await harness.link(account);
      await settle();
      const { providerUserId: userId } = account;
      expect(await push({ deregistrations: [{ userId }] }, { 'garmin-client-id': 'OTHER' })).toBe(403);
      expect(await push({ deregistrations: [{ userId }] }, {})).toBe(403);
      const callbackURL = 'http://127.0.0.1:9/wellness-api/rest/dailies?token=t';
      expect(await push({ dailies: [{ userId, callbackURL }] })).toBe(200);
      await settle();
      const [window] = await database.current.sql`
        SELECT state, error_code FROM pull_windows WHERE connection_id = ${connectionId} AND pull = 'callback-dailies'`;
      expect(window).toEqual({ state: 'given_up', error_code: 'provider_permanent' });
      // The token in the URL is valid for a call, so it must not be stored unencrypted anywhere.
      const open = await database.current.sql`
        SELECT 1 FROM pull_windows w WHERE w::text LIKE '%token=%' UNION ALL SELECT 1 FROM push_inbox p WHERE p::text LIKE '%token=%'`;
      expect(open).toHaveLength(0);
      const [row] = await database.current.sql`SELECT status FROM connections WHERE connection_id = ${connectionId}`;
      expect(row).toEqual({ status: 'connected' });
    },
    limitMs,
  );

  test(
    'requests the hours of the day of linking with the history, before anything new is pushed',
    async () => {
      const account = harness.simulator.addAccount({ name: 'Morning Mo', timeZone: 'Europe/Berlin', historyDays: 4 });
      const linked = await harness.link(account);
      await settle();
      const last = account.truth && (await lastOf(linked, account.truth));
      expect(last?.stored).toEqual(last?.true);
    },
    limitMs,
  );

  test(
    'treats a repeated request that Garmin refuses with 409 as pending',
    async () => {
      const account = harness.simulator.addAccount({ name: 'Repeating Rita', timeZone: 'Europe/Berlin', historyDays: 4 });
      const { connectionId } = await harness.link(account);
      await settle();
      await harness.readAgain(connectionId);
      await settle();
      await harness.readAgain(connectionId);
      await harness.drain();
      await settle();
      const windows = await database.current.sql<{ state: string }[]>`
        SELECT state FROM pull_windows WHERE connection_id = ${connectionId} AND pull LIKE 'history-%'`;
      expect(new Set(windows.map(({ state }) => state))).toEqual(new Set(['done']));
      expect(harness.simulator.requests.some(({ kind, status }) => kind === 'backfill' && status === 409)).toBe(true);
    },
    limitMs,
  );

  test(
    'completes the history of a new user, of which Garmin returns only one month, without a failure',
    async () => {
      const account = harness.simulator.addAccount({ name: 'Newcomer Nell', timeZone: 'Europe/Berlin', historyDays: 90 });
      const { connectionId, userId } = await harness.link(account);
      await settle();
      const windows = await database.current.sql<{ state: string; error_code: string | null; start_date: string }[]>`
        SELECT state, error_code, start_date::text FROM pull_windows WHERE connection_id = ${connectionId} AND pull = 'history-dailies' ORDER BY start_date`;
      const refused = harness.simulator.requests.filter(({ kind, status }) => kind === 'backfill' && status === 400);
      expect(refused.length).toBeGreaterThanOrEqual(windows.length);
      expect(windows.length).toBeGreaterThan(1);
      expect(new Set(windows.map(({ state, error_code: code }) => `${state} ${code}`))).toEqual(new Set(['done null']));
      expect(await eventsOf(database.current, userId, 'historical.data.activity.%')).toHaveLength(1);
      // The month that Garmin returns is there, and nothing before it.
      const days = (await summariesOf(database.current, userId)).flatMap(({ resource, calendar_date: day }) =>
        resource === 'activity' ? [day] : [],
      );
      expect(days.length).toBeGreaterThanOrEqual(29);
      expect(days.length).toBeLessThanOrEqual(32);
    },
    limitMs,
  );
});
