import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { maintainInbox } from '@pulsewire/ingest';
import type { Connector } from '@pulsewire/providers';
import { useDatabase } from '../../../support/database.ts';
import { sendPush, startIngest, withPush } from '../support/push-stage.ts';
import { createWorld, today, type World } from '../support/world.ts';

const database = useDatabase();
let world: World;
beforeEach(async () => {
  world = await createWorld(database.current);
  await database.current.sql`TRUNCATE push_inbox, push_bodies, push_digests`;
});
afterEach(() => world.close());

const signed = (callsDiffer: boolean): Connector => withPush(world, { replay: { signatureHeader: 'x-signature', callsDiffer } });
const notice = { kind: 'changed', providerUserId: 'somebody', collection: 'body', window: { startDate: today, endDate: today } };
const stored = async () => (await database.current.sql`SELECT 1 FROM push_inbox`).length;

async function replay(connector: Connector, times: number, body: unknown = [notice]): Promise<readonly number[]> {
  const answers = await Promise.all(Array.from({ length: times }, () => sendPush(database.current, world, connector, body)));
  return [...new Set(answers.map(({ status }) => status))];
}

describe('a signed push that is sent again and again', () => {
  test('is processed once and gets the same response, also concurrently and after processing', async () => {
    const connector = signed(true);
    expect(await replay(connector, 50)).toEqual([204]);
    expect(await stored()).toBe(1);
    await startIngest(world, connector).drain();
    world.clock.advance(7 * 86_400_000);
    expect(await replay(connector, 50)).toEqual([204]);
    expect(await stored()).toBe(1);
    await replay(connector, 1, [{ ...notice, providerUserId: 'another' }]);
    expect(await stored()).toBe(2);
  });

  test('is worked on twelve times an hour where an equal one may mean something new', async () => {
    const connector = signed(false);
    expect(await replay(connector, 100)).toEqual([204]);
    expect(await stored()).toBe(12);
    world.clock.advance(3_600_001);
    await replay(connector, 1);
    expect(await stored()).toBe(13);
  });

  test('is stored the second time when the first could not be', async () => {
    const connector = signed(true);
    const { workPush } = world.jobs;
    Object.assign(world.jobs, { workPush: () => Promise.reject(new Error('Postgres is away')) });
    await expect(sendPush(database.current, world, connector, [notice])).rejects.toThrow('away');
    Object.assign(world.jobs, { workPush });
    expect(await replay(connector, 3)).toEqual([204]);
    expect(await stored()).toBe(1);
  });

  test('is forgotten with the day on which it is too old to be taken', async () => {
    await replay(signed(true), 1);
    const known = () => database.current.sql`SELECT 1 FROM push_digests`;
    const day = (days: number) => new Date(world.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
    await maintainInbox(database.current, { today: day(7), keepDays: 30 });
    expect(await known()).toHaveLength(1);
    await maintainInbox(database.current, { today: day(9), keepDays: 30 });
    expect(await known()).toHaveLength(0);
  });
});
