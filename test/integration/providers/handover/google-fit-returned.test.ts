import { addDays } from '@pulsewire/kernel';
import { updateTeam } from '@pulsewire/connections';
import { describe, expect, it } from 'vitest';
import { daily, limitMs, useHandover } from './use-handover.ts';

const use = useHandover();

/** A user whose resources google_fit has handed over. */
async function startHandedOver(name: string) {
  const started = await use.people.startWithGoogleFit(name);
  await use.harness.link('google_health', started.userId, name);
  await use.pass(started, 1, 1);
  return { ...started, name };
}

async function expectEveryDayOnce(userId: string, resources: readonly string[] = daily) {
  const days = await use.people.resourceDays(userId);
  expect(days.doubles).toEqual([]);
  for (const resource of resources) expect([resource, days.missing(resource)]).toEqual([resource, []]);
  return days;
}

const withoutSleep = () => use.harness.googleScopes.filter((scope) => !scope.includes('.sleep.'));

/** How often google_fit was asked for a data type since a mark. */
function fitCalls(type: string, since = 0): number {
  const calls = use.harness.googleFit.requests.slice(since);
  return calls.filter(({ path }) => decodeURIComponent(path).includes(type)).length;
}

describe('a resource that google_health may no longer be asked for', () => {
  it(
    'returns to google_fit when its scope is withdrawn, and the others stay',
    async () => {
      const started = await startHandedOver('Scoped Sky');
      const { userId, name } = started;
      const before = await use.people.resourceDays(userId);
      const withdrawnOn = use.harness.localDay();
      expect(before.health('sleep')).toContain(withdrawnOn);
      await use.harness.link('google_health', userId, name, withoutSleep());
      await use.pass(started, 1, 1);
      const days = await expectEveryDayOnce(userId);
      expect(days.health('sleep')).toEqual(before.health('sleep'));
      expect(days.fit('sleep').filter((day) => day > withdrawnOn)[0]).toBe(addDays(withdrawnOn, 1));
      expect(days.fit('steps').filter((day) => day > withdrawnOn)).toEqual([]);
      expect(days.health('steps')).toContain(addDays(withdrawnOn, 2));
      const { announced } = use.harness;
      expect(announced.filter((line) => line.startsWith('handover.returned')).toSorted()).toEqual([
        'handover.returned sleep',
        'handover.returned sleep_cycle',
      ]);
      for (const resource of daily) expect(announced).toContain(`handover.taken ${resource}`);
    },
    limitMs,
  );

  it(
    'returns to google_fit when Google refuses it although its scope was granted',
    async () => {
      const started = await startHandedOver('Refused Ron');
      const { userId, name } = started;
      const withdrawnOn = use.harness.localDay();
      await use.harness.link('google_health', userId, name, withoutSleep());
      await use.database.current.sql`
        UPDATE connections SET granted_scopes = ${[...use.harness.googleScopes]} WHERE user_id = ${userId} AND provider = 'google_health'`;
      await use.pass(started, 1, 1, 1);
      const days = await expectEveryDayOnce(userId);
      expect(days.fit('sleep').filter((day) => day > withdrawnOn)[0]).toBe(addDays(withdrawnOn, 1));
      expect(days.fit('steps').filter((day) => day > withdrawnOn)).toEqual([]);
    },
    limitMs,
  );
});

describe('the days of a google_health connection that stopped unnoticed', () => {
  it(
    'are read from google_fit once it is removed, however long ago it stopped',
    async () => {
      const started = await startHandedOver('Paused Pia');
      const { userId, accounts } = started;
      const { harness } = use;
      const lastDay = harness.localDay();
      await updateTeam(use.database.current, harness.team.teamId, { bulkOperations: true });
      await harness.call('POST', '/v2/link/bulk_pause', { provider: 'google_health', user_ids: [userId] });
      for (let week = 0; week < 3; week++) await use.pass({ accounts: { fit: accounts.fit } }, 7);
      expect((await use.people.resourceDays(userId)).fit('steps').at(-1)).toBe(addDays(lastDay, -2));
      await harness.call('DELETE', `/v2/user/${userId}/google_health`);
      await use.pass({ accounts: { fit: accounts.fit } }, 0.1);
      const days = await expectEveryDayOnce(userId);
      for (const resource of daily) {
        expect([resource, days.fit(resource).filter((day) => day > addDays(lastDay, -2))[0]]).toEqual([resource, addDays(lastDay, 1)]);
        expect(days.fit(resource).at(-1)).toBe(harness.localDay());
      }
    },
    limitMs,
  );

  it(
    'and has delivered nothing for a month return to google_fit without an error',
    async () => {
      const started = await startHandedOver('Quiet Quinn');
      const { userId, accounts } = started;
      const lastDay = use.harness.localDay();
      for (let step = 0; step < 4; step++) await use.pass({ accounts: { fit: accounts.fit } }, 8);
      const days = await expectEveryDayOnce(userId);
      for (const resource of daily) {
        expect([resource, days.health(resource).at(-1)]).toEqual([resource, lastDay]);
        expect(days.fit(resource).at(-1)).toBe(use.harness.localDay());
      }
    },
    limitMs,
  );
});

describe('resources that google_fit has handed over', () => {
  it(
    'are polled once a week until they return, and the others as before',
    async () => {
      const started = await startHandedOver('Spared Sid');
      const { userId } = started;
      await use.pass(started, 5);
      const mark = use.harness.googleFit.requests.length;
      await use.pass(started, 0.1, 1, 1);
      expect([fitCalls('step_count', mark), fitCalls('heart_rate', mark)]).toEqual([0, 0]);
      expect(fitCalls('blood_pressure', mark)).toBeGreaterThan(0);
      await use.pass(started, 5);
      expect(fitCalls('step_count', mark)).toBeGreaterThan(0);
      await use.harness.call('DELETE', `/v2/user/${userId}/google_health`);
      const removedOn = use.harness.localDay();
      await use.pass(started, 1, 0.1);
      const days = await use.people.resourceDays(userId);
      expect(days.doubles).toEqual([]);
      for (const resource of daily) expect(days.fit(resource)).toContain(addDays(removedOn, 1));
    },
    limitMs,
  );

  it(
    'and that google_health lacks for a day are read from google_fit for that day',
    async () => {
      const started = await startHandedOver('Unworn Uma');
      const { userId, accounts } = started;
      const lastDay = use.harness.localDay();
      await use.pass({ accounts: { fit: accounts.fit } }, 8, 8);
      const days = await use.people.resourceDays(userId);
      expect(days.doubles).toEqual([]);
      expect(days.fit('steps')).toContain(addDays(lastDay, 3));
    },
    limitMs,
  );
});
