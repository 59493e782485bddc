import { addDays } from '@pulsewire/kernel';
import { describe, expect, it } from 'vitest';
import { historyDays, hourMs } from './harness.ts';
import { dayMs, limitMs, useHandover } from './use-handover.ts';

const use = useHandover();

describe('linking google_health beside the fitbit connection of the same person', () => {
  it(
    'ends a fitbit connection that stopped delivering at once, and starts on the day after its last',
    async () => {
      const { userId, accounts } = await use.people.startWithFitbit('Late Lena');
      const lastDay = use.harness.localDay();
      accounts.fitbit.revoke();
      await use.harness.pass(2 * dayMs, accounts.google);
      expect(await use.people.providersOf(userId)).toEqual(['fitbit error']);
      await use.harness.link('google_health', userId, 'Late Lena');
      await use.harness.drainAll();
      expect(await use.people.providersOf(userId)).toEqual(['google_health connected']);
      expect(await use.people.removedOf(userId)).toHaveLength(1);
      const { fitbit, google } = await use.people.daysOf(userId, 'activity');
      expect([fitbit.at(-1), google[0]]).toEqual([lastDay, addDays(lastDay, 1)]);
    },
    limitMs,
  );

  it(
    'happens once when the link is completed twice at the same moment, and again later',
    async () => {
      const { userId } = await use.people.startWithFitbit('Hasty Hanna');
      const addresses = [
        await use.harness.agree('google_health', userId, 'Hasty Hanna'),
        await use.harness.agree('google_health', userId, 'Hasty Hanna'),
      ];
      const states = await Promise.all(addresses.map(use.harness.goBack));
      expect(states).toEqual(['success', 'success']);
      use.harness.clock.advance(60_000);
      await use.harness.link('google_health', userId, 'Hasty Hanna');
      expect(await use.people.handoversOf(userId)).toHaveLength(1);
      expect(await use.people.providersOf(userId)).toEqual(['fitbit connected', 'google_health connected']);
      expect(await use.people.removedOf(userId)).toEqual([]);
    },
    limitMs,
  );

  it(
    'leaves both connections alone when another person is behind the second account',
    async () => {
      const { userId } = await use.people.startWithFitbit('Own Olga', 'Other Otto');
      await use.harness.link('google_health', userId, 'Other Otto');
      await use.harness.drainAll();
      expect(await use.people.handoversOf(userId)).toEqual([]);
      expect(await use.people.providersOf(userId)).toEqual(['fitbit connected', 'google_health connected']);
      const { google } = await use.people.daysOf(userId, 'activity');
      expect(google[0]).toBe(addDays(use.harness.localDay(), -historyDays));
    },
    limitMs,
  );
});

describe('importing google_health beside the fitbit connection of the same person', () => {
  it(
    'reads no day twice, although the import does not know whose account it is',
    async () => {
      const { userId, accounts } = await use.people.startWithFitbit('Imported Ida');
      const importedOn = use.harness.localDay();
      await use.harness.importConnection('google_health', userId, accounts.google);
      await use.harness.drainAll();
      await use.harness.pass(2 * hourMs, accounts.fitbit, accounts.google);
      expect(await use.people.handoversOf(userId)).toEqual([
        { from_provider: 'fitbit', to_provider: 'google_health', on_day: addDays(importedOn, 1) },
      ]);
      expect((await use.people.daysOf(userId, 'activity')).google).toEqual([]);
      await use.pass({ accounts }, 1, 1, 2.5);
      const { fitbit, google } = await use.people.daysOf(userId, 'activity');
      expect([fitbit.at(-1), google[0]]).toEqual([importedOn, addDays(importedOn, 1)]);
      // People of earlier tests may end in the same run.
      expect((await use.harness.endHandedOver()).errors).toEqual([]);
      expect(await use.people.providersOf(userId)).toEqual(['google_health connected']);
    },
    limitMs,
  );

  it(
    'reads nothing from an imported fitbit connection whose days google_health reads',
    async () => {
      const [account] = [use.harness.fitbit, use.harness.google].map((simulator) => use.harness.addPerson(simulator, 'Reversed Rea'));
      const userId = await use.harness.newUser();
      await use.harness.link('google_health', userId, 'Reversed Rea');
      await use.harness.drainAll();
      await use.harness.importConnection('fitbit', userId, account ?? { name: '', providerUserId: '' });
      await use.harness.drainAll();
      await use.harness.pass(2 * hourMs);
      expect((await use.people.daysOf(userId, 'activity')).fitbit).toEqual([]);
      expect(await use.harness.endHandedOver()).toMatchObject({ connections: 1, errors: [] });
      expect(await use.people.providersOf(userId)).toEqual(['google_health connected']);
    },
    limitMs,
  );
});

describe('the catch-up of a fitbit connection that was handed over', () => {
  it(
    'lasts until its own days are read, but no longer than two weeks',
    async () => {
      const { userId, accounts } = await use.people.startWithFitbit('Slow Sara');
      await use.harness.link('google_health', userId, 'Slow Sara');
      await use.pass({ accounts }, 1);
      use.harness.clock.advance(3.5 * dayMs);
      // As a pull that waits for its quota leaves it.
      const [waiting] = await use.database.current.sql<{ window_id: string }[]>`
        UPDATE pull_windows SET state = 'planned', due_at = due_at + interval '60 days' WHERE window_id = (
          SELECT window_id FROM pull_windows JOIN connections c USING (connection_id)
          WHERE c.user_id = ${userId} AND c.provider = 'fitbit' ORDER BY start_date LIMIT 1)
        RETURNING window_id`;
      expect(waiting).toBeDefined();
      expect(await use.harness.endHandedOver()).toEqual({ connections: 0, next: null, errors: [] });
      use.harness.clock.advance(11 * dayMs);
      expect(await use.harness.endHandedOver()).toEqual({ connections: 1, next: null, errors: [] });
    },
    limitMs,
  );
});

describe('a handover that is interrupted', () => {
  it(
    'at its end is repeated as a whole: one event, and nothing is half ended',
    async () => {
      const { userId, accounts } = await use.people.startWithFitbit('Torn Tom');
      await use.harness.link('google_health', userId, 'Torn Tom');
      await use.pass({ accounts }, 1);
      use.harness.clock.advance(3.5 * dayMs);
      const cut = await use.harness.endHandedOver(() => Promise.reject(new Error('killed')));
      expect(cut.errors).not.toEqual([]);
      expect(await use.people.providersOf(userId)).toEqual(['fitbit connected', 'google_health connected']);
      expect(await use.people.removedOf(userId)).toEqual([]);
      const both = await Promise.all([use.harness.endHandedOver(), use.harness.endHandedOver()]);
      expect(both.flatMap(({ errors }) => errors)).toEqual([]);
      expect(await use.people.removedOf(userId)).toHaveLength(1);
      expect(await use.people.providersOf(userId)).toEqual(['google_health connected']);
    },
    limitMs,
  );
});
