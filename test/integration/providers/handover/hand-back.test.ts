import { resumeConnections, updateTeam } from '@pulsewire/connections';
import { addDays, type Tx } from '@pulsewire/database';
import { restartPlans } from '@pulsewire/ingest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createHandoverHarness, historyDays, hourMs, today, type HandoverHarness } from './harness.ts';
import { createPeople } from './people.ts';

const database = useDatabase();
const limitMs = 120_000;
const dayMs = 24 * hourMs;
let harness: HandoverHarness;
let people: ReturnType<typeof createPeople>;

beforeAll(async () => {
  harness = await createHandoverHarness(database.current);
  people = createPeople(harness, database.current);
}, limitMs);
afterAll(() => harness.close());

/** Days that both providers have, and days between the first and the last that neither has. */
async function gapsAndDoubles(userId: string) {
  const { fitbit, google } = await people.daysOf(userId, 'activity');
  const days = [...fitbit, ...google].toSorted();
  const missing: string[] = [];
  for (let day = days[0] ?? ''; day < (days.at(-1) ?? ''); day = addDays(day, 1)) if (!days.includes(day)) missing.push(day);
  return { missing, double: fitbit.filter((day) => google.includes(day)) };
}

describe('linking fitbit beside the google_health connection of the same person', () => {
  it(
    'reads no day twice, and the fitbit connection is removed',
    async () => {
      for (const simulator of [harness.fitbit, harness.google]) harness.addPerson(simulator, 'Backward Ben');
      const userId = await harness.newUser();
      await harness.link('google_health', userId, 'Backward Ben');
      await harness.drainAll();
      await harness.link('fitbit', userId, 'Backward Ben');
      await harness.drainAll();
      const { fitbit, google } = await people.daysOf(userId, 'activity');
      expect([fitbit, google[0]]).toEqual([[], addDays(today, -historyDays)]);
      expect(await harness.endSucceeded()).toMatchObject({ connections: 1, errors: [] });
      expect(await people.providersOf(userId)).toEqual(['google_health connected']);
      expect(await people.removedOf(userId)).toHaveLength(1);
      await harness.call('DELETE', `/v2/user/${userId}/google_health`);
    },
    limitMs,
  );
});

describe('linking fitbit beside a google_health connection in error', () => {
  it(
    'continues after the last day of google_health, until that one is linked again and takes over',
    async () => {
      const accounts = {
        fitbit: harness.addPerson(harness.fitbit, 'Failing Fay'),
        google: harness.addPerson(harness.google, 'Failing Fay'),
      };
      const userId = await harness.newUser();
      await harness.link('google_health', userId, 'Failing Fay');
      await harness.drainAll();
      const lastDay = (await people.daysOf(userId, 'activity')).google.at(-1) ?? '';
      accounts.google.revoke();
      await harness.pass(2 * dayMs, accounts.fitbit);
      expect(await people.providersOf(userId)).toEqual(['google_health error']);

      await harness.link('fitbit', userId, 'Failing Fay');
      await harness.drainAll();
      expect((await people.daysOf(userId, 'activity')).fitbit[0]).toBe(addDays(lastDay, 1));
      expect(await gapsAndDoubles(userId)).toEqual({ missing: [], double: [] });
      await harness.pass(4 * dayMs, accounts.fitbit);
      expect(await harness.endSucceeded()).toMatchObject({ connections: 0, errors: [] });
      expect(await people.providersOf(userId)).toEqual(['fitbit connected', 'google_health error']);

      await harness.link('google_health', userId, 'Failing Fay');
      const linkedAgainOn = harness.localDay();
      for (const days of [1, 1, 2.5]) await harness.pass(days * dayMs, accounts.fitbit, accounts.google);
      expect(await gapsAndDoubles(userId)).toEqual({ missing: [], double: [] });
      expect((await people.daysOf(userId, 'activity')).google.find((day) => day > lastDay)).toBe(addDays(linkedAgainOn, 1));
      expect(await harness.endSucceeded()).toMatchObject({ connections: 1, errors: [] });
      expect(await people.providersOf(userId)).toEqual(['google_health connected']);
    },
    limitMs,
  );
});

describe('a google_health connection that is removed again', () => {
  it(
    'before it delivered leaves the days to fitbit as if it had not been linked',
    async () => {
      const { userId, accounts } = await people.startWithFitbit('Doubting Dora');
      await harness.link('google_health', userId, 'Doubting Dora');
      await harness.drainAll();
      await harness.call('DELETE', `/v2/user/${userId}/google_health`);
      const linkedOn = harness.localDay();
      expect(await people.handoversOf(userId)).toEqual([]);
      await harness.pass(2 * dayMs, accounts.fitbit);
      // The second day may just have begun.
      expect((await people.daysOf(userId, 'activity')).fitbit).toContain(addDays(linkedOn, 1));
      expect(await gapsAndDoubles(userId)).toEqual({ missing: [], double: [] });
      await harness.call('DELETE', `/v2/user/${userId}/fitbit`);
    },
    limitMs,
  );

  it(
    'continues with fitbit on the next day, and hands over once more when it is linked again',
    async () => {
      const { userId, accounts } = await people.startWithFitbit('Wavering Wim');
      const both = [accounts.fitbit, accounts.google] as const;
      const pass = async (...days: number[]) => {
        for (const count of days) await harness.pass(count * dayMs, ...both);
      };
      await harness.link('google_health', userId, 'Wavering Wim');
      await pass(1, 0.5);
      // The rest of this day is read from neither, because google_health may have delivered a part of it.
      const removedOn = harness.localDay();
      const missing = async () => (await gapsAndDoubles(userId)).missing.filter((day) => day !== removedOn);
      await harness.call('DELETE', `/v2/user/${userId}/google_health`);
      const { google: before } = await people.daysOf(userId, 'activity');
      expect(before.length).toBeGreaterThan(0);
      await pass(1, 1);
      const between = await people.daysOf(userId, 'activity');
      expect(between.google).toEqual(before);
      expect(between.fitbit).toContain(addDays(removedOn, 1));
      expect(between.fitbit).not.toContain(removedOn);
      expect([await missing(), (await gapsAndDoubles(userId)).double]).toEqual([[], []]);
      expect(await harness.endSucceeded()).toMatchObject({ connections: 0, errors: [] });

      const linkedAgainOn = harness.localDay();
      await harness.link('google_health', userId, 'Wavering Wim');
      await pass(1, 1);
      expect((await people.daysOf(userId, 'activity')).google).toContain(addDays(linkedAgainOn, 1));
      expect([await missing(), (await gapsAndDoubles(userId)).double]).toEqual([[], []]);
      await pass(2.5);
      expect(await harness.endSucceeded()).toMatchObject({ connections: 1, errors: [] });
      expect(await people.providersOf(userId)).toEqual(['google_health connected']);
    },
    limitMs,
  );
});

describe('a google_health connection that is paused after it took over', () => {
  it(
    'leaves its days open until it is resumed, and then neither a day is missing nor one is there twice',
    async () => {
      const { userId, accounts } = await people.startWithFitbit('Pausing Pat');
      const pass = async (...days: number[]) => {
        for (const count of days) await harness.pass(count * dayMs, accounts.fitbit, accounts.google);
      };
      await harness.link('google_health', userId, 'Pausing Pat');
      await pass(1, 0.5);
      await updateTeam(database.current, harness.team.teamId, { bulkOperations: true });
      await harness.call('POST', '/v2/link/bulk_pause', { provider: 'google_health', user_ids: [userId] });
      expect(await people.providersOf(userId)).toEqual(['fitbit connected', 'google_health paused']);
      const { google: before } = await people.daysOf(userId, 'activity');
      await pass(1, 1);
      expect((await people.daysOf(userId, 'activity')).google).toEqual(before);
      const { clock, team } = harness;
      const onResumed = (tx: Tx, ids: readonly string[]) => restartPlans(tx, ids, clock.now());
      expect(await resumeConnections({ database: database.current, clock, onResumed }, team.teamId, 'google_health')).toBe(1);
      await pass(1, 2.5);
      expect(await gapsAndDoubles(userId)).toEqual({ missing: [], double: [] });
      expect(await harness.endSucceeded()).toMatchObject({ connections: 1, errors: [] });
      expect(await people.providersOf(userId)).toEqual(['google_health connected']);
    },
    limitMs,
  );
});
