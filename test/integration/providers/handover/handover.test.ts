import { addDays } from '@pulsewire/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createHandoverHarness, historyDays, hourMs, today, type HandoverHarness } from './harness.ts';
import { createPeople } from './people.ts';

const database = useDatabase();
const limitMs = 120_000;
const dayMs = 24 * hourMs;
/** When the successor's first day begins in Berlin. */
const cutMs = Date.parse('2026-03-12T23:00:00Z');
let harness: HandoverHarness;

beforeAll(async () => void (harness = await createHandoverHarness(database.current)), limitMs);
afterAll(() => harness.close());

interface StoredSpan {
  readonly provider: string;
  readonly resource: string;
  readonly first: number;
  readonly last: number;
}

/** First and last sample of each series of a user, by provider, in ms. */
async function spansOf(userId: string): Promise<readonly StoredSpan[]> {
  return database.current.sql<StoredSpan[]>`
    SELECT provider, resource, min(date_part('epoch', ts) * 1000) AS first, max(date_part('epoch', ts) * 1000) AS last
    FROM samples JOIN sources USING (user_source_id) JOIN series USING (series) WHERE user_id = ${userId} GROUP BY 1, 2 ORDER BY 1, 2`;
}

const people = () => createPeople(harness, database.current);

describe('linking google_health beside the fitbit connection of the same person', () => {
  it(
    'reads every day from one of them, ends the old one and keeps its data',
    async () => {
      const { userId, accounts } = await people().startWithFitbit('Moving Mona');
      await harness.link('google_health', userId, 'Moving Mona');
      await harness.drainAll();
      expect(await people().providersOf(userId)).toEqual(['fitbit connected', 'google_health connected']);
      expect((await spansOf(userId)).filter(({ provider }) => provider === 'google_health')).toEqual([]);
      for (let step = 0; step < 5; step++) await harness.pass(10 * hourMs, accounts.fitbit, accounts.google);
      for (const resource of ['activity', 'sleep'] as const) {
        const { fitbit, google } = await people().daysOf(userId, resource);
        expect(fitbit.length).toBeGreaterThan(historyDays - 1);
        expect(fitbit.filter((day) => day > today)).toEqual([]);
        expect(google.length).toBeGreaterThan(0);
        expect(google.filter((day) => day <= today)).toEqual([]);
      }
      const spans = await spansOf(userId);
      const isWrong = ({ provider, first, last }: StoredSpan) => (provider === 'fitbit' ? last >= cutMs : first < cutMs);
      expect(spans.filter(isWrong)).toEqual([]);
      expect(new Set(spans.map(({ provider }) => provider)).size).toBe(2);
      expect(await harness.endSucceeded()).toMatchObject({ connections: 0 });
      await harness.pass(2.5 * dayMs, accounts.fitbit, accounts.google);
      expect(await harness.endSucceeded()).toEqual({ connections: 1, next: null, errors: [] });
      await harness.settleDeregistrations();
      expect(await people().providersOf(userId)).toEqual(['google_health connected']);
      expect(await people().removedOf(userId)).toHaveLength(1);
      expect([accounts.fitbit.consents(), accounts.google.consents()]).toEqual([0, 1]);
      expect((await people().daysOf(userId, 'activity')).fitbit.at(-1)).toBe(today);
      await harness.call('DELETE', `/v2/user/${userId}/google_health`);
      await harness.link('google_health', userId, 'Moving Mona');
      await harness.drainAll();
      expect((await people().daysOf(userId, 'activity')).google.filter((day) => day <= today)).toEqual([]);
    },
    limitMs,
  );

  it(
    'ends a fitbit connection that stopped delivering at once, and starts on the day after its last',
    async () => {
      const { userId, accounts } = await people().startWithFitbit('Late Lena');
      const lastDay = harness.localDay();
      accounts.fitbit.revoke();
      await harness.pass(2 * dayMs, accounts.google);
      expect(await people().providersOf(userId)).toEqual(['fitbit error']);
      await harness.link('google_health', userId, 'Late Lena');
      await harness.drainAll();
      expect(await people().providersOf(userId)).toEqual(['google_health connected']);
      expect(await people().removedOf(userId)).toHaveLength(1);
      const { fitbit, google } = await people().daysOf(userId, 'activity');
      expect([fitbit.at(-1), google[0]]).toEqual([lastDay, addDays(lastDay, 1)]);
    },
    limitMs,
  );

  it(
    'happens once when the link is completed twice at the same moment, and again later',
    async () => {
      const { userId } = await people().startWithFitbit('Hasty Hanna');
      const addresses = [
        await harness.agree('google_health', userId, 'Hasty Hanna'),
        await harness.agree('google_health', userId, 'Hasty Hanna'),
      ];
      const states = await Promise.all(addresses.map(harness.goBack));
      expect(states).toEqual(['success', 'success']);
      harness.clock.advance(60_000);
      await harness.link('google_health', userId, 'Hasty Hanna');
      expect(await people().handoversOf(userId)).toHaveLength(1);
      expect(await people().providersOf(userId)).toEqual(['fitbit connected', 'google_health connected']);
      expect(await people().removedOf(userId)).toEqual([]);
    },
    limitMs,
  );

  it(
    'leaves both connections alone when another person is behind the second account',
    async () => {
      const { userId } = await people().startWithFitbit('Own Olga', 'Other Otto');
      await harness.link('google_health', userId, 'Other Otto');
      await harness.drainAll();
      expect(await people().handoversOf(userId)).toEqual([]);
      expect(await people().providersOf(userId)).toEqual(['fitbit connected', 'google_health connected']);
      const { google } = await people().daysOf(userId, 'activity');
      expect(google[0]).toBe(addDays(harness.localDay(), -historyDays));
    },
    limitMs,
  );
});

describe('importing google_health beside the fitbit connection of the same person', () => {
  it(
    'reads no day twice, although the import does not know whose account it is',
    async () => {
      const { userId, accounts } = await people().startWithFitbit('Imported Ida');
      const importedOn = harness.localDay();
      await harness.importConnection('google_health', userId, accounts.google);
      await harness.drainAll();
      await harness.pass(2 * hourMs, accounts.fitbit, accounts.google);
      expect(await people().handoversOf(userId)).toEqual([
        { from_provider: 'fitbit', to_provider: 'google_health', on_day: addDays(importedOn, 1) },
      ]);
      expect((await people().daysOf(userId, 'activity')).google).toEqual([]);
      for (const days of [1, 1, 2.5]) await harness.pass(days * dayMs, accounts.fitbit, accounts.google);
      const { fitbit, google } = await people().daysOf(userId, 'activity');
      expect([fitbit.at(-1), google[0]]).toEqual([importedOn, addDays(importedOn, 1)]);
      // People of earlier tests may end in the same run.
      expect((await harness.endSucceeded()).errors).toEqual([]);
      expect(await people().providersOf(userId)).toEqual(['google_health connected']);
    },
    limitMs,
  );

  it(
    'reads nothing from an imported fitbit connection whose days google_health reads',
    async () => {
      const [account] = [harness.fitbit, harness.google].map((simulator) => harness.addPerson(simulator, 'Reversed Rea'));
      const userId = await harness.newUser();
      await harness.link('google_health', userId, 'Reversed Rea');
      await harness.drainAll();
      await harness.importConnection('fitbit', userId, account ?? { name: '', providerUserId: '' });
      await harness.drainAll();
      await harness.pass(2 * hourMs);
      expect((await people().daysOf(userId, 'activity')).fitbit).toEqual([]);
      expect(await harness.endSucceeded()).toMatchObject({ connections: 1, errors: [] });
      expect(await people().providersOf(userId)).toEqual(['google_health connected']);
    },
    limitMs,
  );
});

describe('the catch-up of a fitbit connection that was handed over', () => {
  it(
    'lasts until its own days are read, but no longer than two weeks',
    async () => {
      const { userId, accounts } = await people().startWithFitbit('Slow Sara');
      await harness.link('google_health', userId, 'Slow Sara');
      await harness.pass(dayMs, accounts.fitbit, accounts.google);
      harness.clock.advance(3.5 * dayMs);
      // As a pull that waits for its quota leaves it.
      const [waiting] = await database.current.sql<{ window_id: string }[]>`
        UPDATE pull_windows SET state = 'planned', due_at = due_at + interval '60 days' WHERE window_id = (
          SELECT window_id FROM pull_windows JOIN connections c USING (connection_id)
          WHERE c.user_id = ${userId} AND c.provider = 'fitbit' ORDER BY start_date LIMIT 1)
        RETURNING window_id`;
      expect(waiting).toBeDefined();
      expect(await harness.endSucceeded()).toEqual({ connections: 0, next: null, errors: [] });
      harness.clock.advance(11 * dayMs);
      expect(await harness.endSucceeded()).toEqual({ connections: 1, next: null, errors: [] });
    },
    limitMs,
  );
});

describe('a handover that is interrupted', () => {
  it(
    'at its end is repeated as a whole: one event, and nothing is half ended',
    async () => {
      const { userId, accounts } = await people().startWithFitbit('Torn Tom');
      await harness.link('google_health', userId, 'Torn Tom');
      await harness.pass(dayMs, accounts.fitbit, accounts.google);
      harness.clock.advance(3.5 * dayMs);
      const cut = await harness.endSucceeded(() => Promise.reject(new Error('killed')));
      expect(cut.errors).not.toEqual([]);
      expect(await people().providersOf(userId)).toEqual(['fitbit connected', 'google_health connected']);
      expect(await people().removedOf(userId)).toEqual([]);
      const both = await Promise.all([harness.endSucceeded(), harness.endSucceeded()]);
      expect(both.flatMap(({ errors }) => errors)).toEqual([]);
      expect(await people().removedOf(userId)).toHaveLength(1);
      expect(await people().providersOf(userId)).toEqual(['google_health connected']);
    },
    limitMs,
  );
});
