import { addDays } from '@pulsewire/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createHandoverHarness, historyDays, hourMs, type HandoverHarness } from './harness.ts';
import { createPeople } from './people.ts';

const database = useDatabase();
const limitMs = 600_000;
const dayMs = 24 * hourMs;
/** Resources that both have on every day. */
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

/** The days from the first to the last of a resource that neither provider has. */
function missing({ fit, health }: Awaited<ReturnType<typeof people.resourceDays>>, resource: string): readonly string[] {
  const days = [...fit(resource), ...health(resource)].toSorted();
  const found: string[] = [];
  for (let day = days[0] ?? ''; day < (days.at(-1) ?? ''); day = addDays(day, 1)) if (!days.includes(day)) found.push(day);
  return found;
}

const pairs = (userId: string) => database.current.sql`SELECT days FROM resource_handovers WHERE user_id = ${userId}`;

describe('linking google_health beside the google_fit connection of the same person', () => {
  it(
    'reads each day of a resource from one of them, and google_fit keeps what google_health lacks',
    async () => {
      const started = await people.startWithGoogleFit('Walking Wanda');
      const { userId } = started;
      const linkedOn = harness.localDay();
      await harness.link('google_health', userId, 'Walking Wanda');
      await harness.drainAll();
      await pass(started, 1, 1);
      const days = await people.resourceDays(userId);
      expect(days.doubles).toEqual([]);
      for (const resource of daily) {
        expect([resource, missing(days, resource)]).toEqual([resource, []]);
        expect(days.fit(resource)[0]).toBe(addDays(linkedOn, -historyDays));
        expect(days.fit(resource).filter((day) => day > linkedOn)).toEqual([]);
        expect(days.health(resource).filter((day) => day > linkedOn)).not.toEqual([]);
      }
      // What the other one does not have at all is read as before.
      expect(days.fit('blood_pressure')).not.toEqual([]);
      expect(days.health('hrv').filter((day) => day < linkedOn)).not.toEqual([]);
      expect(await harness.endSucceeded()).toMatchObject({ connections: 0, errors: [] });
      expect(await people.providersOf(userId)).toEqual(both);
      expect(await people.removedOf(userId)).toEqual([]);
    },
    limitMs,
  );

  it(
    'leaves a resource to google_fit whose scope the user did not grant, until it is granted',
    async () => {
      const started = await people.startWithGoogleFit('Partial Paul');
      const { userId } = started;
      const linkedOn = harness.localDay();
      await harness.link(
        'google_health',
        userId,
        'Partial Paul',
        harness.googleScopes.filter((scope) => !scope.includes('.sleep.')),
      );
      await pass(started, 1);
      const days = await people.resourceDays(userId);
      expect([days.doubles, days.health('sleep')]).toEqual([[], []]);
      expect(days.fit('sleep').at(-1)).toBe(addDays(linkedOn, 1));
      expect(days.health('steps')).toContain(addDays(linkedOn, 1));
      await harness.link('google_health', userId, 'Partial Paul');
      await pass(started, 1);
      const later = await people.resourceDays(userId);
      expect([later.doubles, later.health('sleep')]).toEqual([[], [addDays(linkedOn, 2)]]);
    },
    limitMs,
  );

  it(
    'divides only what comes later when the Google account becomes known with a further consent',
    async () => {
      const started = await people.startWithGoogleFit('Early Ella');
      const { userId } = started;
      await harness.link(
        'google_health',
        userId,
        'Early Ella',
        harness.googleScopes.filter((scope) => scope !== 'openid'),
      );
      await harness.drainAll();
      expect(await pairs(userId)).toEqual([]);
      const { doubles } = await people.resourceDays(userId);
      expect(doubles).not.toEqual([]);
      const addresses = [
        await harness.agree('google_health', userId, 'Early Ella'),
        await harness.agree('google_health', userId, 'Early Ella'),
      ];
      expect(await Promise.all(addresses.map(harness.goBack))).toEqual(['success', 'success']);
      await pass(started, 1, 1);
      expect(await pairs(userId)).toHaveLength(1);
      const days = await people.resourceDays(userId);
      expect(days.doubles).toEqual(doubles);
      for (const resource of daily) expect([resource, missing(days, resource)]).toEqual([resource, []]);
    },
    limitMs,
  );

  it(
    'leaves both connections alone when another person is behind the second account',
    async () => {
      const startedOn = harness.localDay();
      const { userId } = await people.startWithGoogleFit('Own Otis', 'Other Olive');
      await harness.link('google_health', userId, 'Other Olive');
      await harness.drainAll();
      expect(await pairs(userId)).toEqual([]);
      expect(await people.providersOf(userId)).toEqual(both);
      const days = await people.resourceDays(userId);
      expect(days.health('activity')[0]).toBe(addDays(startedOn, -historyDays));
    },
    limitMs,
  );
});

describe('a division of days', () => {
  it(
    'does not survive the failure of the page that decides it, and is repeated with that page',
    async () => {
      const { sql } = database.current;
      const started = await people.startWithGoogleFit('Torn Theo');
      const { userId } = started;
      await sql`
        CREATE FUNCTION cut_short() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'cut short'; END $$`;
      await sql`CREATE TRIGGER cut_short BEFORE UPDATE ON resource_handovers FOR EACH ROW EXECUTE FUNCTION cut_short()`;
      await harness.link('google_health', userId, 'Torn Theo');
      await harness.drainAll();
      const [pair] = await pairs(userId);
      expect(Object.values(pair?.['days'] ?? {}).filter((spans) => spans !== null)).toEqual([]);
      expect((await people.resourceDays(userId)).health('steps')).toEqual([]);
      await sql`DROP TRIGGER cut_short ON resource_handovers`;
      await pass(started, 1, 1);
      const days = await people.resourceDays(userId);
      expect(days.doubles).toEqual([]);
      for (const resource of daily) {
        expect([resource, missing(days, resource)]).toEqual([resource, []]);
        expect(days.health(resource)).not.toEqual([]);
      }
    },
    limitMs,
  );
});
