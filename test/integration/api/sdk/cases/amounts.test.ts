import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../../../support/database.ts';
import type { Caller } from '../../support/harness.ts';
import { createPhoneHarness, record, type Phone } from '../phone-harness.ts';
import { oneByOne, readCase, samplesOf, sendBatches, summariesOf, type CaseBatch } from './read-case.ts';

const database = useDatabase();
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Caller;

beforeAll(async () => {
  harness = await createPhoneHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

async function distancesOf({ userId }: Phone) {
  const samples = (await samplesOf(caller, userId, 'distance')).map(({ start, end, value }) => [start, end, value]);
  const days = (await summariesOf(caller, userId, 'activity')).map(({ distance }) => distance);
  return { samples, days };
}
const eventsOf = async ({ userId }: Phone) =>
  (await database.current.sql`SELECT 1 FROM log_events WHERE user_id = ${userId} AND event_type LIKE '%data.%'`).length;

const distance = (type: string, from: string, to: string, metres: number, more: object = {}) =>
  record(`HKQuantityTypeIdentifierDistance${type}`, `2026-11-20T${from}:00Z`, metres, 'm', {
    endDate: `2026-11-20T${to}:00Z`,
    zoneOffset: 'Z',
    ...more,
  });

it('adds up metres ridden and walked that begin together, in any order and any batches', async () => {
  const { input } = await readCase('two-distances-one-start');
  const apart = oneByOne(input);
  const orders: readonly (readonly CaseBatch[])[] = [input, apart, apart.toReversed()];
  for (const batches of orders) {
    const phone = await harness.newPhone(caller);
    await sendBatches(phone, batches);
    await harness.work();
    const right = { samples: [['2026-11-20T10:00:00+00:00', '2026-11-20T10:10:00+00:00', 5020]], days: [5020] };
    expect(await distancesOf(phone)).toEqual(right);
    const events = await eventsOf(phone);
    await sendBatches(phone, batches);
    await harness.work();
    expect(await distancesOf(phone)).toEqual(right);
    expect(await eventsOf(phone)).toBe(events);
  }
});

it('counts the time of metres ridden and walked apart when they only overlap', async () => {
  const phone = await harness.newPhone(caller);
  await phone.sync('apple', { records: [distance('WalkingRunning', '10:00', '10:10', 20), distance('Cycling', '10:01', '10:31', 9000)] });
  await phone.sync('apple', { records: [distance('Cycling', '10:11', '10:21', 3000), distance('Wheelchair', '10:05', '10:06', 7)] });
  await harness.work();
  expect((await distancesOf(phone)).days).toEqual([9027]);
});

it('takes back one of two amounts that begin together when it is deleted, moved or corrected', async () => {
  const phone = await harness.newPhone(caller);
  const send = async (data: object) => {
    await phone.sync('apple', data);
    await harness.work();
    return (await distancesOf(phone)).samples.map(([start, , metres]) => [String(start).slice(11, 16), metres]);
  };
  const [walk, ride] = [distance('WalkingRunning', '10:00', '10:10', 20), distance('Cycling', '10:00', '10:30', 5000)];
  expect(await send({ records: [walk, ride] })).toEqual([['10:00', 5020]]);
  expect(await send({ records: [{ ...ride, value: 6000 }] })).toEqual([['10:00', 6020]]);
  expect(await send({ records: [{ ...walk, startDate: '2026-11-20T10:01:00Z' }] })).toEqual([
    ['10:00', 6000],
    ['10:01', 20],
  ]);
  expect(await send({ records: [walk] })).toEqual([['10:00', 6020]]);
  expect(await send({ deleted: [{ id: ride.id, type: ride.type }] })).toEqual([['10:00', 20]]);
  expect(await send({ deleted: [{ id: walk.id, type: walk.type }] })).toEqual([]);
  expect(await summariesOf(caller, phone.userId, 'activity')).toEqual([]);
});

it('does not add metres that were stored before kinds were kept to themselves', async () => {
  const phone = await harness.newPhone(caller);
  const ride = distance('Cycling', '10:00', '10:30', 5000);
  await phone.sync('apple', { records: [ride] });
  await harness.work();
  await database.current.sql`
    UPDATE samples SET extra = NULL WHERE user_source_id IN (SELECT user_source_id FROM sources WHERE user_id = ${phone.userId})`;
  await phone.sync('apple', { records: [ride] });
  await phone.sync('apple', { records: [distance('WalkingRunning', '10:00', '10:10', 20)] });
  await harness.work();
  expect((await distancesOf(phone)).days).toEqual([5020]);
});
