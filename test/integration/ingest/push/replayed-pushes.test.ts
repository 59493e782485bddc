import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { maintainInbox } from '@pulsewire/ingest';
import type { Connector } from '@pulsewire/providers';
import { useDatabase } from '../../../support/database.ts';
import { sendPush, startIngest, withPush } from '../support/push-harness.ts';
import { createHarness, today, type Harness } from '../support/harness.ts';

const database = useDatabase();
let harness: Harness;
beforeEach(async () => {
  harness = await createHarness(database.current);
  await database.current.sql`TRUNCATE push_inbox, push_bodies, push_digests`;
});
afterEach(() => harness.close());

const signed = (callsDiffer: boolean): Connector => withPush(harness, { replay: { signatureHeader: 'x-signature', callsDiffer } });
const notice = { kind: 'changed', providerUserId: 'someone', collection: 'body', window: { startDate: today, endDate: today } };
const stored = async () => (await database.current.sql`SELECT 1 FROM push_inbox`).length;

async function replay(connector: Connector, times: number, body: unknown = [notice]): Promise<readonly number[]> {
  const responses = await Promise.all(Array.from({ length: times }, () => sendPush(database.current, harness, connector, body)));
  return [...new Set(responses.map(({ status }) => status))];
}

describe('a signed push that is sent repeatedly', () => {
  test('is processed once and gets the same response, also concurrently and after processing', async () => {
    const connector = signed(true);
    expect(await replay(connector, 50)).toEqual([204]);
    expect(await stored()).toBe(1);
    await startIngest(harness, connector).drain();
    harness.clock.advance(7 * 86_400_000);
    expect(await replay(connector, 50)).toEqual([204]);
    expect(await stored()).toBe(1);
    await replay(connector, 1, [{ ...notice, providerUserId: 'another' }]);
    expect(await stored()).toBe(2);
  });

  test('is processed at most twelve times an hour where an equal push may mean something new', async () => {
    const connector = signed(false);
    expect(await replay(connector, 100)).toEqual([204]);
    expect(await stored()).toBe(12);
    harness.clock.advance(3_600_001);
    await replay(connector, 1);
    expect(await stored()).toBe(13);
  });

  test('is stored the second time when storing it failed the first time', async () => {
    const connector = signed(true);
    const { workPush } = harness.jobs;
    Object.assign(harness.jobs, { workPush: () => Promise.reject(new Error('Postgres is away')) });
    await expect(sendPush(database.current, harness, connector, [notice])).rejects.toThrow('away');
    Object.assign(harness.jobs, { workPush });
    expect(await replay(connector, 3)).toEqual([204]);
    expect(await stored()).toBe(1);
  });

  test('is forgotten on the day when it is too old to be accepted', async () => {
    await replay(signed(true), 1);
    const known = () => database.current.sql`SELECT 1 FROM push_digests`;
    const day = (days: number) => new Date(harness.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
    await maintainInbox(database.current, { today: day(7), keepDays: 30 });
    expect(await known()).toHaveLength(1);
    await maintainInbox(database.current, { today: day(9), keepDays: 30 });
    expect(await known()).toHaveLength(0);
  });
});
