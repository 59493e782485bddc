import { addDays } from '@pulsewire/kernel';
import { describe, expect, it } from 'vitest';
import { historyDays } from './harness.ts';
import { bothGoogle, daily, limitMs, useHandover } from './use-handover.ts';

const use = useHandover();

describe('linking google_health beside the google_fit connection of the same person', () => {
  it(
    'leaves a resource to google_fit whose scope the user did not grant, until it is granted',
    async () => {
      const started = await use.people.startWithGoogleFit('Partial Paul');
      const { userId } = started;
      const linkedOn = use.harness.localDay();
      await use.harness.link(
        'google_health',
        userId,
        'Partial Paul',
        use.harness.googleScopes.filter((scope) => !scope.includes('.sleep.')),
      );
      await use.pass(started, 1);
      const days = await use.people.resourceDays(userId);
      expect([days.doubles, days.health('sleep')]).toEqual([[], []]);
      expect(days.fit('sleep').at(-1)).toBe(addDays(linkedOn, 1));
      expect(days.health('steps')).toContain(addDays(linkedOn, 1));
      await use.harness.link('google_health', userId, 'Partial Paul');
      await use.pass(started, 1);
      const later = await use.people.resourceDays(userId);
      expect([later.doubles, later.health('sleep')]).toEqual([[], [addDays(linkedOn, 2)]]);
    },
    limitMs,
  );

  it(
    'divides only what comes later when the Google account becomes known with a further consent',
    async () => {
      const started = await use.people.startWithGoogleFit('Early Ella');
      const { userId } = started;
      await use.harness.link(
        'google_health',
        userId,
        'Early Ella',
        use.harness.googleScopes.filter((scope) => scope !== 'openid'),
      );
      await use.harness.drainAll();
      expect(await use.pairs(userId)).toEqual([]);
      const { doubles } = await use.people.resourceDays(userId);
      expect(doubles).not.toEqual([]);
      expect(await use.admin('handovers', 'waiting')).toContain(`team ${use.harness.team.teamId}  google_fit to google_health: 1 user`);
      expect(await use.admin('handovers', 'waiting', use.harness.team.teamId)).toContain(userId);
      const addresses = [
        await use.harness.agree('google_health', userId, 'Early Ella'),
        await use.harness.agree('google_health', userId, 'Early Ella'),
      ];
      expect(await Promise.all(addresses.map(use.harness.goBack))).toEqual(['success', 'success']);
      await use.pass(started, 1, 1);
      expect(await use.pairs(userId)).toHaveLength(1);
      const days = await use.people.resourceDays(userId);
      expect(days.doubles).toEqual(doubles);
      expect(await use.admin('handovers', 'waiting')).toEqual(['No user must consent again.']);
      for (const resource of daily) expect([resource, days.missing(resource)]).toEqual([resource, []]);
    },
    limitMs,
  );

  it(
    'leaves both connections alone when another person is behind the second account',
    async () => {
      const startedOn = use.harness.localDay();
      const { userId } = await use.people.startWithGoogleFit('Own Otis', 'Other Olive');
      await use.harness.link('google_health', userId, 'Other Olive');
      await use.harness.drainAll();
      expect(await use.pairs(userId)).toEqual([]);
      expect(await use.people.providersOf(userId)).toEqual(bothGoogle);
      const days = await use.people.resourceDays(userId);
      expect(days.health('activity')[0]).toBe(addDays(startedOn, -historyDays));
    },
    limitMs,
  );
});

describe('a division of days', () => {
  it(
    'does not survive the failure of the page that decides it, and is repeated with that page',
    async () => {
      const { sql } = use.database.current;
      const started = await use.people.startWithGoogleFit('Torn Theo');
      const { userId } = started;
      await sql`
        CREATE FUNCTION cut_short() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'cut short'; END $$`;
      await sql`CREATE TRIGGER cut_short BEFORE UPDATE ON resource_handovers FOR EACH ROW EXECUTE FUNCTION cut_short()`;
      await use.harness.link('google_health', userId, 'Torn Theo');
      await use.harness.drainAll();
      const [pair] = await use.pairs(userId);
      expect(Object.values(pair?.['days'] ?? {}).filter((spans) => spans !== null)).toEqual([]);
      expect((await use.people.resourceDays(userId)).health('steps')).toEqual([]);
      await sql`DROP TRIGGER cut_short ON resource_handovers`;
      await use.pass(started, 1, 1);
      const days = await use.people.resourceDays(userId);
      expect(days.doubles).toEqual([]);
      for (const resource of daily) {
        expect([resource, days.missing(resource)]).toEqual([resource, []]);
        expect(days.health(resource)).not.toEqual([]);
      }
    },
    limitMs,
  );
});
