import { findConnector } from '@pulsewire/providers';
import { simulators } from '@pulsewire/sandbox';
import { afterEach, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { createConformanceHarness, type ConformanceHarness } from './conformance/harness.ts';
import { samplesOf, summariesOf } from './conformance/stored.ts';

const database = useDatabase();
let harness: ConformanceHarness;
afterEach(() => harness.close());

test('a person whose answers state no zone has the offsets of the midnights that they state', async () => {
  const [connector, entry] = [findConnector('ultrahuman'), simulators.find(({ slug }) => slug === 'ultrahuman')];
  if (!connector || !entry) throw new Error('ultrahuman is not registered');
  harness = await createConformanceHarness(database.current, connector, entry);
  const account = harness.simulator.addAccount({ name: 'Zoneless Ada', timeZone: 'Asia/Kolkata', historyDays: 10, wantsMfa: false });
  const { userId } = await harness.link(account);
  await database.current.sql`UPDATE users SET fallback_time_zone = NULL WHERE user_id = ${userId}`;
  await harness.drainAll();
  const samples = await samplesOf(database.current, userId);
  expect(samples.length).toBeGreaterThan(100);
  expect(new Set(samples.map(({ tz_offset }) => tz_offset))).toEqual(new Set([19_800]));
  const nights = (await summariesOf(database.current, userId)).filter(({ resource }) => resource === 'sleep');
  expect(new Set(nights.map(({ data }) => data['timezone_offset']))).toEqual(new Set([19_800]));
}, 120_000);
