import { findConnector } from '@pulsewire/providers';
import { simulators } from '@pulsewire/sandbox';
import { afterEach, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { createConformanceHarness, startedAt, type ConformanceHarness } from './conformance/harness.ts';
import { linesOf, samplesOf, summariesOf } from './conformance/stored.ts';

const database = useDatabase();
const dayMs = 86_400_000;
let harness: ConformanceHarness;
afterEach(() => harness.close());

async function typesOf(userId: string, resource: string): Promise<readonly string[]> {
  const rows = [...(await summariesOf(database.current, userId)), ...(await samplesOf(database.current, userId))];
  return [...new Set(rows.filter((row) => row.resource === resource).map((row) => row.source_type))];
}

test('records of a device that was not known keep one identity when its type is learned', async () => {
  const [connector, entry] = [findConnector('google_health'), simulators.find(({ slug }) => slug === 'google_health')];
  if (!connector || !entry) throw new Error('google_health is not registered');
  harness = await createConformanceHarness(database.current, connector, entry);
  const account = harness.simulator.addAccount({ name: 'Ada Lovelace', timeZone: 'America/New_York', historyDays: 30, wantsMfa: false });
  harness.simulator.troubles.begin('devices_hidden');
  const { userId } = await harness.link(account);
  await harness.drainAll();
  expect([await typesOf(userId, 'sleep'), await typesOf(userId, 'respiratory_rate')]).toEqual([['unknown', 'app'], ['unknown']]);
  harness.simulator.troubles.end();
  await harness.poll(2 * dayMs);
  await harness.drainAll();
  expect([await typesOf(userId, 'sleep'), await typesOf(userId, 'respiratory_rate')]).toEqual([['watch', 'app'], ['watch']]);
  // Another user of the same account, whose device is known from the start, has the same.
  const fresh = await harness.link(account);
  await harness.drainAll();
  const since = startedAt.getTime() - 20 * dayMs;
  const stored = await linesOf(database.current, userId, since);
  expect(stored.toSorted()).toEqual((await linesOf(database.current, fresh.userId, since)).toSorted());
}, 120_000);
