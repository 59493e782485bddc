import { findConnector } from '@pulsewire/providers';
import { simulators } from '@pulsewire/sandbox';
import { afterEach, expect, test } from 'vitest';
import { useDatabase } from '../../support/database.ts';
import { createConformanceHarness, type ConformanceHarness } from './conformance/harness.ts';
import { linesOf, quarantinedOf, samplesOf, statusOf, streamsOf, summariesOf } from './conformance/stored.ts';

const database = useDatabase();
const limitMs = 120_000;
let harness: ConformanceHarness;
afterEach(() => harness.close());

async function open(slug: string): Promise<void> {
  const [connector, entry] = [findConnector(slug), simulators.find((simulator) => simulator.slug === slug)];
  if (!connector || !entry) throw new Error(`${slug} is not registered`);
  harness = await createConformanceHarness(database.current, connector, entry);
}

const addAccount = (name: string) => harness.simulator.addAccount({ name, timeZone: 'America/New_York', historyDays: 12 });

test(
  'renpho: an account that its scale lists under another number has all its weighings, and no one’s',
  async () => {
    await open('renpho');
    const account = addAccount('Listed Ada');
    const { userId, connectionId } = await harness.link(account);
    await harness.drainAll();
    const weighed = (await summariesOf(database.current, userId)).filter(({ resource }) => resource === 'body');
    expect(weighed.length).toBeGreaterThanOrEqual(10);
    // A child's weight is in the same tables.
    expect(weighed.filter(({ data }) => Number(data['weight']) < 50)).toEqual([]);
    expect((await samplesOf(database.current, userId)).filter(({ resource }) => resource === 'weight')).toHaveLength(weighed.length);
    expect(await quarantinedOf(database.current, connectionId)).toEqual([]);
  },
  limitMs,
);

test(
  'hammerhead: where the exchange brings no refresh token, SRAM’s own keeps the connection alive',
  async () => {
    await open('hammerhead');
    const account = addAccount('Bare Ada');
    const { userId, connectionId } = await harness.link(account);
    await harness.drainAll();
    const before = (await summariesOf(database.current, userId)).length;
    for (let polls = 0; polls < 3; polls++) {
      account.expireTokens();
      account.makeNewData();
      await harness.poll();
      await harness.drainAll();
    }
    expect(await statusOf(database.current, connectionId)).toMatchObject({ status: 'connected' });
    expect(before).toBeGreaterThan(0);
    expect(harness.simulator.requests.filter(({ path }) => path.endsWith('/auth/sram/mobile/token')).length).toBeGreaterThan(1);
  },
  limitMs,
);

test(
  'hammerhead: an account without any refresh token is not linked, and the error says why',
  async () => {
    await open('hammerhead');
    const { userId } = await harness.link(addAccount('Bare Ada'));
    expect(await harness.attempt(userId, addAccount('Unrenewed Ada'))).toMatchObject({
      state: 'error',
      errorType: 'provider_api_error',
      error: expect.stringContaining('no refresh token') as string,
    });
  },
  limitMs,
);

test(
  'wahoo: workouts keep what was read of their files when the files can no longer be read',
  async () => {
    await open('wahoo');
    const { userId, connectionId } = await harness.link(addAccount('Ada Lovelace'));
    await harness.drainAll();
    const [before, streams] = [await linesOf(database.current, userId), await streamsOf(database.current, userId)];
    expect(streams.length).toBeGreaterThan(0);
    harness.simulator.troubles.begin('files_gone');
    await harness.poll();
    await harness.drainAll();
    expect((await quarantinedOf(database.current, connectionId)).map(({ resource }) => resource)).toContain('workout_stream');
    expect(await linesOf(database.current, userId)).toEqual(before);
    expect(await streamsOf(database.current, userId)).toEqual(streams);
  },
  limitMs,
);
