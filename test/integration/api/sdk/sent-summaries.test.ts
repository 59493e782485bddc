import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { lockRecords } from '@pulsewire/store';
import { useDatabase } from '../../../support/database.ts';
import type { Caller } from '../support/harness.ts';
import { createPhoneHarness, record } from './phone-harness.ts';

const database = useDatabase();
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Caller;

beforeAll(async () => {
  harness = await createPhoneHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

const zone = { metadata: { HKTimeZone: 'UTC' } };
const steps = (clock: string, value: number, date = '2026-01-04') =>
  record('HKQuantityTypeIdentifierStepCount', `${date}T${clock}:00Z`, value, 'count', zone);

async function read(userId: string, name: string) {
  const { body } = await caller.call('GET', `/v2/summary/${name}/${userId}?start_date=2026-01-01&end_date=2026-01-31`);
  return body[name === 'meal' ? 'meals' : name] as Record<string, unknown>[];
}
const send = (userId: string, summaries: object) =>
  caller.call('POST', `/v2/user/${userId}/data/apple_health_kit`, { source: { type: 'watch' }, summaries });

it('keeps an activity that a team’s app has sent, whenever readings of its day arrive', async () => {
  const phone = await harness.newPhone(caller);
  await phone.sync('apple', { records: [steps('08:00', 100)] });
  await harness.work();
  const [built] = await read(phone.userId, 'activity');
  expect((await send(phone.userId, { activity: [{ calendar_date: '2026-01-04', steps: 5000 }] })).status).toBe(200);
  expect(await read(phone.userId, 'activity')).toMatchObject([{ id: built?.['id'], steps: 5000 }]);
  await phone.sync('apple', { records: [steps('09:00', 50), steps('09:00', 70, '2026-01-05')] });
  await harness.work();
  expect((await read(phone.userId, 'activity')).map((own) => [own['calendar_date'], own['steps']])).toEqual([
    ['2026-01-04', 5000],
    ['2026-01-05', 70],
  ]);
  await send(phone.userId, { activity: [{ calendar_date: '2026-01-04', steps: 5100 }] });
  expect((await read(phone.userId, 'activity'))[0]).toMatchObject({ steps: 5100 });
});

it('replaces a built summary by a sent one that had arrived before it was built', async () => {
  const phone = await harness.newPhone(caller);
  await phone.sync('apple', { records: [steps('08:00', 100)] });
  await harness.work();
  const { sql } = database.current;
  const sent = await database.current.transaction(async (tx) => {
    await lockRecords(tx, phone.userId);
    const request = send(phone.userId, { activity: [{ calendar_date: '2026-01-04', steps: 5000 }] });
    await vi.waitFor(async () => expect(await sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`).toHaveLength(1));
    // As a batch does that is applied while the request waits.
    await tx.sql`UPDATE summaries SET version = nextval('receipt_versions') WHERE user_id = ${phone.userId}`;
    return [request] as const;
  });
  expect((await sent[0]).status).toBe(200);
  expect(await read(phone.userId, 'activity')).toMatchObject([{ steps: 5000 }]);
});

it('keeps a meal that was sent under the identity of a built one when nothing is left of that', async () => {
  const phone = await harness.newPhone(caller);
  const food = record('HKQuantityTypeIdentifierDietaryProtein', '2026-01-04T12:00:00Z', 20, 'g', zone);
  await phone.sync('apple', { records: [food] });
  await harness.work();
  const [built] = await read(phone.userId, 'meal');
  const timestamp = '2026-01-04T12:00:00.000Z';
  const lunch = { external_id: timestamp, calendar_date: '2026-01-04', timestamp, name: 'Lunch', energy: null, macros: null, micros: null };
  expect((await send(phone.userId, { meal: [lunch] })).status).toBe(200);
  await phone.sync('apple', { deleted: [{ id: food.id }] });
  await harness.work();
  expect(await read(phone.userId, 'meal')).toMatchObject([{ id: built?.['id'], name: 'Lunch' }]);
});
