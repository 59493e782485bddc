import { addDays } from '@pulsewire/kernel';
import { findConnector } from '@pulsewire/providers';
import { describe, expect, it } from 'vitest';
import { historyDays } from './harness.ts';
import { dayMs, limitMs, useHandover } from './use-handover.ts';

const use = useHandover();

const longAgoDays = 40;

describe('a google_health connection that has delivered nothing for longer than a month', () => {
  it(
    'keeps its days beside google_fit, which has all later ones until google_health delivers again',
    async () => {
      const name = 'Silent Sam';
      const accounts = { fit: use.harness.addPerson(use.harness.googleFit, name), health: use.harness.addPerson(use.harness.google, name) };
      const userId = await use.harness.newUser();
      const lastDay = use.harness.localDay();
      await use.harness.link('google_health', userId, name);
      await use.harness.drainAll();
      await use.harness.pass(longAgoDays * dayMs, accounts.fit);
      await use.harness.link('google_fit', userId, name);
      await use.harness.pass(dayMs, accounts.fit);
      const days = await use.people.resourceDays(userId);
      expect(days.doubles).toEqual([]);
      for (const resource of ['steps', 'heartrate', 'sleep']) {
        expect([resource, days.health(resource).at(-1)]).toEqual([resource, lastDay]);
        expect(days.fit(resource)[0] ?? '').toSatisfy((day: string) => day > lastDay);
        expect(days.fit(resource)).toContain(use.harness.localDay());
      }
      const changesOn = use.harness.localDay();
      await use.harness.pass(dayMs, accounts.fit, accounts.health);
      await use.harness.pass(dayMs, accounts.fit, accounts.health);
      const later = await use.people.resourceDays(userId);
      expect(later.doubles).toEqual([]);
      for (const resource of ['steps', 'heartrate', 'sleep'])
        expect(later.health(resource).filter((day) => day > lastDay)[0] ?? '').toSatisfy((day: string) => day > changesOn);
    },
    limitMs,
  );

  it(
    'adds its old days of a resource that google_fit never delivered when it is linked',
    async () => {
      const name = 'Sleepless Sue';
      const accounts = { fit: use.harness.addPerson(use.harness.googleFit, name), health: use.harness.addPerson(use.harness.google, name) };
      const userId = await use.harness.newUser();
      const linkedOn = use.harness.localDay();
      const scopes = findConnector('google_fit')?.oauth?.scopes.filter((scope) => !scope.includes('sleep')) ?? [];
      await use.harness.link('google_fit', userId, name, scopes);
      await use.harness.drainAll();
      await use.harness.pass(longAgoDays * dayMs, accounts.fit);
      await use.harness.link('google_health', userId, name);
      await use.harness.drainAll();
      const days = await use.people.resourceDays(userId);
      expect(days.doubles).toEqual([]);
      expect(days.fit('sleep')).toEqual([]);
      expect([days.health('sleep')[0], days.health('sleep').at(-1)]).toEqual([addDays(linkedOn, -historyDays), linkedOn]);
      expect(days.fit('steps').at(-1)).toSatisfy((day: string) => day > linkedOn);
    },
    limitMs,
  );
});

describe('a google_health connection with a longer history than google_fit', () => {
  it(
    'adds the days before the first of google_fit',
    async () => {
      const { userId, accounts } = await use.people.startWithGoogleFit('Longer Lou');
      const linkedOn = use.harness.localDay();
      await use.database.current.sql`UPDATE users SET ingestion_start = ${addDays(linkedOn, -7)} WHERE user_id = ${userId}`;
      await use.harness.link('google_health', userId, 'Longer Lou');
      await use.harness.pass(dayMs, accounts.fit, accounts.health);
      const days = await use.people.resourceDays(userId);
      expect(days.doubles).toEqual([]);
      for (const resource of ['activity', 'steps', 'heartrate', 'sleep']) {
        const [own, taken] = [days.health(resource), days.fit(resource)];
        expect([resource, own.filter((day) => day < (taken[0] ?? '')).length >= 3, taken[0]]).toEqual([
          resource,
          true,
          addDays(linkedOn, -historyDays),
        ]);
      }
    },
    limitMs,
  );
});
