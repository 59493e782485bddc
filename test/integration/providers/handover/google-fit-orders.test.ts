import { addDays } from '@pulsewire/kernel';
import { describe, expect, it } from 'vitest';
import { bothGoogle, daily, limitMs, useHandover } from './use-handover.ts';

const use = useHandover();

describe('linking google_fit beside the google_health connection of the same person', () => {
  it(
    'adds only what google_health does not deliver, whether it is linked or imported',
    async () => {
      for (const isImported of [false, true]) {
        const name = isImported ? 'Reversed Rita' : 'Backward Bo';
        const accounts = {
          fit: use.harness.addPerson(use.harness.googleFit, name),
          health: use.harness.addPerson(use.harness.google, name),
        };
        const userId = await use.harness.newUser();
        await use.harness.link('google_health', userId, name);
        await use.harness.drainAll();
        if (isImported) await use.harness.importConnection('google_fit', userId, accounts.fit);
        else await use.harness.link('google_fit', userId, name);
        await use.harness.drainAll();
        await use.pass({ accounts }, 1);
        const days = await use.people.resourceDays(userId);
        expect(days.doubles).toEqual([]);
        for (const resource of daily) expect([resource, days.fit(resource)]).toEqual([resource, []]);
        expect(days.fit('blood_pressure')).not.toEqual([]);
        expect(await use.people.providersOf(userId)).toEqual(bothGoogle);
      }
    },
    limitMs,
  );
});

describe('importing google_health beside the google_fit connection of the same person', () => {
  it(
    'reads no day of a resource twice, although the import does not know whose account it is',
    async () => {
      const started = await use.people.startWithGoogleFit('Imported Iris');
      const { userId, accounts } = started;
      await use.harness.importConnection('google_health', userId, accounts.health);
      await use.harness.drainAll();
      await use.pass(started, 1, 1);
      const days = await use.people.resourceDays(userId);
      expect(days.doubles).toEqual([]);
      for (const resource of daily) {
        const [first = '', last = ''] = [days.fit(resource)[0], days.fit(resource).at(-1)];
        expect(days.health(resource).filter((day) => day >= first)[0]).toBe(addDays(last, 1));
      }
    },
    limitMs,
  );
});

describe('a google_health connection to which resources were handed over', () => {
  it(
    'gives them back to google_fit when it is removed, and takes them again when it is linked',
    async () => {
      const started = await use.people.startWithGoogleFit('Wavering Wes');
      const { userId } = started;
      await use.harness.link('google_health', userId, 'Wavering Wes');
      await use.pass(started, 1, 0.25);
      const removedOn = use.harness.localDay();
      await use.harness.call('DELETE', `/v2/user/${userId}/google_health`);
      await use.pass(started, 1, 1);
      const between = await use.people.resourceDays(userId);
      expect(between.doubles).toEqual([]);
      // The rest of the day of the removal is read from neither: its totals cannot be divided.
      for (const resource of daily) expect(between.fit(resource).filter((day) => day >= removedOn)[0]).toBe(addDays(removedOn, 1));
      const linkedAgainOn = use.harness.localDay();
      await use.harness.link('google_health', userId, 'Wavering Wes');
      await use.pass(started, 1, 1);
      const days = await use.people.resourceDays(userId);
      expect(days.doubles).toEqual([]);
      for (const resource of daily) {
        expect(days.fit(resource).at(-1)).toBe(linkedAgainOn);
        expect(days.health(resource).filter((day) => day > removedOn)[0]).toBe(addDays(linkedAgainOn, 1));
      }
    },
    limitMs,
  );

  it(
    'is replaced by google_fit from the day after its last while it is in error',
    async () => {
      const started = await use.people.startWithGoogleFit('Failing Flo');
      const { userId, accounts } = started;
      await use.harness.link('google_health', userId, 'Failing Flo');
      await use.pass(started, 1, 0.25);
      const lastDay = use.harness.localDay();
      accounts.health.revoke();
      await use.pass(started, 1, 1);
      expect(await use.people.providersOf(userId)).toEqual(['google_fit connected', 'google_health error']);
      const between = await use.people.resourceDays(userId);
      expect(between.doubles).toEqual([]);
      for (const resource of daily) {
        // A day that google_health has nothing of yet is read from google_fit too.
        const last = between.health(resource).at(-1) ?? '';
        expect([resource, between.missing(resource), last >= addDays(lastDay, -1)]).toEqual([resource, [], true]);
        expect(between.fit(resource).filter((day) => day > last)[0]).toBe(addDays(last, 1));
      }
      const linkedAgainOn = use.harness.localDay();
      await use.harness.link('google_health', userId, 'Failing Flo');
      await use.pass(started, 1, 1);
      const days = await use.people.resourceDays(userId);
      expect(days.doubles).toEqual([]);
      for (const resource of daily) expect(days.health(resource)).toContain(addDays(linkedAgainOn, 1));
    },
    limitMs,
  );
});
