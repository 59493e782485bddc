import { addDays } from '@pulsewire/kernel';
import { connectors } from '@pulsewire/providers';
import { simulators } from '@pulsewire/sandbox';
import { afterEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { createConformanceHarness, type ConformanceHarness } from './conformance/harness.ts';
import { summariesOf } from './conformance/stored.ts';

const database = useDatabase();
const dayMs = 24 * 3_600_000;
let harness: ConformanceHarness;
afterEach(() => harness.close());

// Garmin pushes everything; Oura is also polled.
describe.each(['garmin', 'oura'])('a user of %s who withdraws the consent and links again three days later', (slug) => {
  it.each([
    ['gets the data of the days without consent', 0, 0],
    ['gets the data of four days before, of which the device had synced nothing', 4, 0],
    ['gets them too when the withdrawal shows in the account first', 0, 25],
  ])('a user who links again %s', async (_title, unsyncedDays, unnoticedHours) => {
    const connector = connectors.find((one) => one.slug === slug);
    const entry = simulators.find((one) => one.slug === slug);
    if (!connector || !entry) throw new Error('Not known');
    harness = await createConformanceHarness(database.current, connector, entry);
    const settle = async () => {
      for (let round = 0; round < 2; round++) {
        await harness.simulator.pushes?.settled();
        await harness.drainAll();
      }
    };
    const account = harness.simulator.addAccount({ name: 'Ada Lovelace', timeZone: 'Europe/Berlin', backlogMinutes: 60 });
    const { userId, connectionId } = await harness.link(account);
    await settle();
    for (let day = 0; day < unsyncedDays; day++) await harness.poll(dayMs).then(settle);
    account.revoke();
    // Runs of connections come before notifications.
    if (unnoticedHours > 0) await harness.poll(unnoticedHours * 3_600_000);
    await settle();
    for (let polls = 0; polls < 2 && unnoticedHours === 0; polls++) await harness.poll().then(settle);
    const statusOf = async () =>
      (await database.current.sql`SELECT status FROM connections WHERE connection_id = ${connectionId}`)[0]?.['status'];
    expect(await statusOf()).toBe('error');
    for (let day = 0; day < 3; day++) {
      harness.clock.advance(dayMs);
      account.makeNewData();
      await settle();
    }
    expect(await harness.attempt(userId, account)).toMatchObject({ state: 'success' });
    await settle();
    expect(await statusOf()).toBe('connected');
    const stored = await summariesOf(database.current, userId);
    const daysOf = (name: string) => new Set(stored.filter(({ resource }) => resource === name).map((row) => row.calendar_date));
    for (const name of ['activity', 'sleep']) {
      const days = daysOf(name);
      const wanted = Array.from({ length: 3 + unsyncedDays }, (_, index) => addDays('2026-03-12', index));
      expect(wanted.filter((day) => !days.has(day))).toEqual([]);
    }
  });
});
