import { addDays } from '@pulsewire/database';
import { findConnector } from '@pulsewire/providers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createHandoverHarness, historyDays, hourMs, type HandoverHarness } from './harness.ts';
import { createPeople } from './people.ts';

const database = useDatabase();
const limitMs = 600_000;
const dayMs = 24 * hourMs;
const longAgoDays = 40;
let harness: HandoverHarness;
let people: ReturnType<typeof createPeople>;

beforeAll(async () => {
  harness = await createHandoverHarness(database.current);
  people = createPeople(harness, database.current);
}, limitMs);
afterAll(() => harness.close());

describe('a google_health connection that has delivered nothing for longer than a month', () => {
  it(
    'keeps its days beside google_fit, which has all later ones until google_health delivers again',
    async () => {
      const name = 'Silent Sam';
      const accounts = { fit: harness.addPerson(harness.googleFit, name), health: harness.addPerson(harness.google, name) };
      const userId = await harness.newUser();
      const lastDay = harness.localDay();
      await harness.link('google_health', userId, name);
      await harness.drainAll();
      await harness.pass(longAgoDays * dayMs, accounts.fit);
      await harness.link('google_fit', userId, name);
      await harness.pass(dayMs, accounts.fit);
      const days = await people.resourceDays(userId);
      expect(days.doubles).toEqual([]);
      for (const resource of ['steps', 'heartrate', 'sleep']) {
        expect([resource, days.health(resource).at(-1)]).toEqual([resource, lastDay]);
        expect(days.fit(resource)[0] ?? '').toSatisfy((day: string) => day > lastDay);
        expect(days.fit(resource)).toContain(harness.localDay());
      }
      const changesOn = harness.localDay();
      await harness.pass(dayMs, accounts.fit, accounts.health);
      await harness.pass(dayMs, accounts.fit, accounts.health);
      const later = await people.resourceDays(userId);
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
      const accounts = { fit: harness.addPerson(harness.googleFit, name), health: harness.addPerson(harness.google, name) };
      const userId = await harness.newUser();
      const linkedOn = harness.localDay();
      const scopes = findConnector('google_fit')?.oauth?.scopes.filter((scope) => !scope.includes('sleep')) ?? [];
      await harness.link('google_fit', userId, name, scopes);
      await harness.drainAll();
      await harness.pass(longAgoDays * dayMs, accounts.fit);
      await harness.link('google_health', userId, name);
      await harness.drainAll();
      const days = await people.resourceDays(userId);
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
      const { userId, accounts } = await people.startWithGoogleFit('Longer Lou');
      const linkedOn = harness.localDay();
      await database.current.sql`UPDATE users SET ingestion_start = ${addDays(linkedOn, -7)} WHERE user_id = ${userId}`;
      await harness.link('google_health', userId, 'Longer Lou');
      await harness.pass(dayMs, accounts.fit, accounts.health);
      const days = await people.resourceDays(userId);
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
