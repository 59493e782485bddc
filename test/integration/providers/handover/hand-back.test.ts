import { addDays } from '@pulsewire/kernel';
import { resumeConnections, updateTeam } from '@pulsewire/connections';
import { type Tx } from '@pulsewire/database';
import { restartSchedules } from '@pulsewire/ingest';
import { describe, expect, it } from 'vitest';
import { historyDays, today } from './harness.ts';
import { missingDays } from './people.ts';
import { dayMs, limitMs, useHandover } from './use-handover.ts';

const use = useHandover();

/** Days that both providers have, and days between the first and the last that neither has. */
async function gapsAndDoubles(userId: string) {
  const { fitbit, google } = await use.people.daysOf(userId, 'activity');
  return { missing: missingDays([...fitbit, ...google]), double: fitbit.filter((day) => google.includes(day)) };
}

describe('linking fitbit beside the google_health connection of the same person', () => {
  it(
    'reads no day twice, and the fitbit connection is removed',
    async () => {
      for (const simulator of [use.harness.fitbit, use.harness.google]) use.harness.addPerson(simulator, 'Backward Ben');
      const userId = await use.harness.newUser();
      await use.harness.link('google_health', userId, 'Backward Ben');
      await use.harness.drainAll();
      await use.harness.link('fitbit', userId, 'Backward Ben');
      await use.harness.drainAll();
      const { fitbit, google } = await use.people.daysOf(userId, 'activity');
      expect([fitbit, google[0]]).toEqual([[], addDays(today, -historyDays)]);
      expect(await use.harness.endHandedOver()).toMatchObject({ connections: 1, errors: [] });
      expect(await use.people.providersOf(userId)).toEqual(['google_health connected']);
      expect(await use.people.removedOf(userId)).toHaveLength(1);
      await use.harness.call('DELETE', `/v2/user/${userId}/google_health`);
    },
    limitMs,
  );
});

describe('linking fitbit beside a google_health connection in error', () => {
  it(
    'continues after the last day of google_health, until that one is linked again and takes over',
    async () => {
      const accounts = {
        fitbit: use.harness.addPerson(use.harness.fitbit, 'Failing Fay'),
        google: use.harness.addPerson(use.harness.google, 'Failing Fay'),
      };
      const userId = await use.harness.newUser();
      await use.harness.link('google_health', userId, 'Failing Fay');
      await use.harness.drainAll();
      const lastDay = (await use.people.daysOf(userId, 'activity')).google.at(-1) ?? '';
      accounts.google.revoke();
      await use.harness.pass(2 * dayMs, accounts.fitbit);
      expect(await use.people.providersOf(userId)).toEqual(['google_health error']);

      await use.harness.link('fitbit', userId, 'Failing Fay');
      await use.harness.drainAll();
      expect((await use.people.daysOf(userId, 'activity')).fitbit[0]).toBe(addDays(lastDay, 1));
      expect(await gapsAndDoubles(userId)).toEqual({ missing: [], double: [] });
      await use.harness.pass(4 * dayMs, accounts.fitbit);
      expect(await use.harness.endHandedOver()).toMatchObject({ connections: 0, errors: [] });
      expect(await use.people.providersOf(userId)).toEqual(['fitbit connected', 'google_health error']);

      await use.harness.link('google_health', userId, 'Failing Fay');
      const linkedAgainOn = use.harness.localDay();
      await use.pass({ accounts }, 1, 1, 2.5);
      expect(await gapsAndDoubles(userId)).toEqual({ missing: [], double: [] });
      expect((await use.people.daysOf(userId, 'activity')).google.find((day) => day > lastDay)).toBe(addDays(linkedAgainOn, 1));
      expect(await use.harness.endHandedOver()).toMatchObject({ connections: 1, errors: [] });
      expect(await use.people.providersOf(userId)).toEqual(['google_health connected']);
    },
    limitMs,
  );
});

describe('a google_health connection that is removed again', () => {
  it(
    'before it delivered leaves the days to fitbit as if it had not been linked',
    async () => {
      const { userId, accounts } = await use.people.startWithFitbit('Doubting Dora');
      await use.harness.link('google_health', userId, 'Doubting Dora');
      await use.harness.drainAll();
      await use.harness.call('DELETE', `/v2/user/${userId}/google_health`);
      const linkedOn = use.harness.localDay();
      expect(await use.people.handoversOf(userId)).toEqual([]);
      await use.harness.pass(2 * dayMs, accounts.fitbit);
      // The second day may just have begun.
      expect((await use.people.daysOf(userId, 'activity')).fitbit).toContain(addDays(linkedOn, 1));
      expect(await gapsAndDoubles(userId)).toEqual({ missing: [], double: [] });
      await use.harness.call('DELETE', `/v2/user/${userId}/fitbit`);
    },
    limitMs,
  );

  it(
    'continues with fitbit on the next day, and hands over once more when it is linked again',
    async () => {
      const { userId, accounts } = await use.people.startWithFitbit('Wavering Wim');
      const pass = (...days: number[]) => use.pass({ accounts }, ...days);
      await use.harness.link('google_health', userId, 'Wavering Wim');
      await pass(1, 0.5);
      // The rest of this day is read from neither, because google_health may have delivered a part of it.
      const removedOn = use.harness.localDay();
      const missing = async () => (await gapsAndDoubles(userId)).missing.filter((day) => day !== removedOn);
      await use.harness.call('DELETE', `/v2/user/${userId}/google_health`);
      const { google: before } = await use.people.daysOf(userId, 'activity');
      expect(before.length).toBeGreaterThan(0);
      await pass(1, 1);
      const between = await use.people.daysOf(userId, 'activity');
      expect(between.google).toEqual(before);
      expect(between.fitbit).toContain(addDays(removedOn, 1));
      expect(between.fitbit).not.toContain(removedOn);
      expect([await missing(), (await gapsAndDoubles(userId)).double]).toEqual([[], []]);
      expect(await use.harness.endHandedOver()).toMatchObject({ connections: 0, errors: [] });

      const linkedAgainOn = use.harness.localDay();
      await use.harness.link('google_health', userId, 'Wavering Wim');
      await pass(1, 1);
      expect((await use.people.daysOf(userId, 'activity')).google).toContain(addDays(linkedAgainOn, 1));
      expect([await missing(), (await gapsAndDoubles(userId)).double]).toEqual([[], []]);
      await pass(2.5);
      expect(await use.harness.endHandedOver()).toMatchObject({ connections: 1, errors: [] });
      expect(await use.people.providersOf(userId)).toEqual(['google_health connected']);
    },
    limitMs,
  );
});

describe('a google_health connection that is paused after it took over', () => {
  it(
    'leaves its days open until it is resumed, and then neither a day is missing nor one is there twice',
    async () => {
      const { userId, accounts } = await use.people.startWithFitbit('Pausing Pat');
      const pass = (...days: number[]) => use.pass({ accounts }, ...days);
      await use.harness.link('google_health', userId, 'Pausing Pat');
      await pass(1, 0.5);
      await updateTeam(use.database.current, use.harness.team.teamId, { bulkOperations: true });
      await use.harness.call('POST', '/v2/link/bulk_pause', { provider: 'google_health', user_ids: [userId] });
      expect(await use.people.providersOf(userId)).toEqual(['fitbit connected', 'google_health paused']);
      const { google: before } = await use.people.daysOf(userId, 'activity');
      await pass(1, 1);
      expect((await use.people.daysOf(userId, 'activity')).google).toEqual(before);
      const { clock, team } = use.harness;
      const onResumed = (tx: Tx, ids: readonly string[]) => restartSchedules(tx, ids, clock.now());
      expect(await resumeConnections({ database: use.database.current, clock, onResumed }, team.teamId, 'google_health')).toBe(1);
      await pass(1, 2.5);
      expect(await gapsAndDoubles(userId)).toEqual({ missing: [], double: [] });
      expect(await use.harness.endHandedOver()).toMatchObject({ connections: 1, errors: [] });
      expect(await use.people.providersOf(userId)).toEqual(['google_health connected']);
    },
    limitMs,
  );
});

describe('a google_health connection in error soon after it took over', () => {
  it(
    'is replaced by fitbit, which is still linked, until it is linked again',
    async () => {
      const { userId, accounts } = await use.people.startWithFitbit('Broken Bea');
      await use.harness.link('google_health', userId, 'Broken Bea');
      await use.pass({ accounts }, 1, 0.5);
      const lastDay = (await use.people.daysOf(userId, 'activity')).google.at(-1) ?? '';
      expect(await use.harness.handBackFailed()).toEqual({ connections: 0, next: null, errors: [] });
      accounts.google.revoke();
      await use.pass({ accounts }, 1);
      expect(await use.people.providersOf(userId)).toEqual(['fitbit connected', 'google_health error']);
      const both = await Promise.all([use.harness.handBackFailed(), use.harness.handBackFailed()]);
      expect(both.reduce((sum, { connections }) => sum + connections, 0)).toBe(1);
      await use.pass({ accounts }, 0.5, 1);
      const { fitbit } = await use.people.daysOf(userId, 'activity');
      expect(fitbit.filter((day) => day >= lastDay)[0]).toBe(addDays(lastDay, 1));
      expect(await gapsAndDoubles(userId)).toEqual({ missing: [], double: [] });
      const linkedAgainOn = use.harness.localDay();
      await use.harness.link('google_health', userId, 'Broken Bea');
      await use.pass({ accounts }, 1, 1);
      expect((await use.people.daysOf(userId, 'activity')).google.find((day) => day > lastDay)).toBe(addDays(linkedAgainOn, 1));
      expect(await gapsAndDoubles(userId)).toEqual({ missing: [], double: [] });
    },
    limitMs,
  );
});
