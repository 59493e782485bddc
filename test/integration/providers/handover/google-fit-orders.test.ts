import { addDays } from '@pulsewire/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createHandoverHarness, hourMs, type HandoverHarness } from './harness.ts';
import { createPeople } from './people.ts';

const database = useDatabase();
const limitMs = 600_000;
const dayMs = 24 * hourMs;
const daily = ['activity', 'steps', 'heartrate', 'sleep'];
const both = ['google_fit connected', 'google_health connected'];
let harness: HandoverHarness;
let people: ReturnType<typeof createPeople>;

beforeAll(async () => {
  harness = await createHandoverHarness(database.current);
  people = createPeople(harness, database.current);
}, limitMs);
afterAll(() => harness.close());

type Started = Awaited<ReturnType<typeof people.startWithGoogleFit>>;

async function pass({ accounts }: Pick<Started, 'accounts'>, ...days: number[]): Promise<void> {
  for (const count of days) await harness.pass(count * dayMs, accounts.fit, accounts.health);
}

describe('linking google_fit beside the google_health connection of the same person', () => {
  it(
    'adds only what google_health does not deliver, whether it is linked or imported',
    async () => {
      for (const isImported of [false, true]) {
        const name = isImported ? 'Reversed Rita' : 'Backward Bo';
        const accounts = { fit: harness.addPerson(harness.googleFit, name), health: harness.addPerson(harness.google, name) };
        const userId = await harness.newUser();
        await harness.link('google_health', userId, name);
        await harness.drainAll();
        if (isImported) await harness.importConnection('google_fit', userId, accounts.fit);
        else await harness.link('google_fit', userId, name);
        await harness.drainAll();
        await pass({ accounts }, 1);
        const days = await people.resourceDays(userId);
        expect(days.doubles).toEqual([]);
        for (const resource of daily) expect([resource, days.fit(resource)]).toEqual([resource, []]);
        expect(days.fit('blood_pressure')).not.toEqual([]);
        expect(await people.providersOf(userId)).toEqual(both);
      }
    },
    limitMs,
  );
});

describe('importing google_health beside the google_fit connection of the same person', () => {
  it(
    'reads no day of a resource twice, although the import does not know whose account it is',
    async () => {
      const started = await people.startWithGoogleFit('Imported Iris');
      const { userId, accounts } = started;
      await harness.importConnection('google_health', userId, accounts.health);
      await harness.drainAll();
      await pass(started, 1, 1);
      const days = await people.resourceDays(userId);
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
      const started = await people.startWithGoogleFit('Wavering Wes');
      const { userId } = started;
      await harness.link('google_health', userId, 'Wavering Wes');
      await pass(started, 1, 0.25);
      const removedOn = harness.localDay();
      await harness.call('DELETE', `/v2/user/${userId}/google_health`);
      await pass(started, 1, 1);
      const between = await people.resourceDays(userId);
      expect(between.doubles).toEqual([]);
      // The rest of the day of the removal is read from neither: its totals cannot be divided.
      for (const resource of daily) expect(between.fit(resource).filter((day) => day >= removedOn)[0]).toBe(addDays(removedOn, 1));
      const linkedAgainOn = harness.localDay();
      await harness.link('google_health', userId, 'Wavering Wes');
      await pass(started, 1, 1);
      const days = await people.resourceDays(userId);
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
      const started = await people.startWithGoogleFit('Failing Flo');
      const { userId, accounts } = started;
      await harness.link('google_health', userId, 'Failing Flo');
      await pass(started, 1, 0.25);
      const lastDay = harness.localDay();
      accounts.health.revoke();
      await pass(started, 1, 1);
      expect(await people.providersOf(userId)).toEqual(['google_fit connected', 'google_health error']);
      const between = await people.resourceDays(userId);
      expect(between.doubles).toEqual([]);
      for (const resource of daily) expect(between.fit(resource).filter((day) => day >= lastDay)[0]).toBe(addDays(lastDay, 1));
      const linkedAgainOn = harness.localDay();
      await harness.link('google_health', userId, 'Failing Flo');
      await pass(started, 1, 1);
      const days = await people.resourceDays(userId);
      expect(days.doubles).toEqual([]);
      for (const resource of daily) expect(days.health(resource)).toContain(addDays(linkedAgainOn, 1));
    },
    limitMs,
  );
});
