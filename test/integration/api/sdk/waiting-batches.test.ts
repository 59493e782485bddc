import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { passTime } from '../../../support/pass-time.ts';
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

const zone = { metadata: { HKTimeZone: 'Europe/Berlin' } };
const steps = (minute: number, value: number) =>
  record(
    'HKQuantityTypeIdentifierStepCount',
    new Date(Date.UTC(2026, 0, 4, 8, minute)).toISOString().replace('.000', ''),
    value,
    'count',
    zone,
  );

async function stateOf(userId: string) {
  const { sql } = database.current;
  const batches = await sql<{ state: string; attempts: number }[]>`
    SELECT state, attempts FROM phone_batches WHERE user_id = ${userId} ORDER BY version`;
  const events = await sql<{ event_type: string }[]>`
    SELECT event_type FROM log_events WHERE user_id = ${userId} AND event_type LIKE '%.data.activity.%' ORDER BY day, "offset"`;
  const { body } = await caller.call('GET', `/v2/summary/activity/${userId}?start_date=2026-01-01&end_date=2026-01-31`);
  return {
    batches: batches.map(({ state, attempts }) => `${state} ${attempts}`),
    events: events.map(({ event_type: type }) => type.split('.').at(-1)),
    steps: (body.activity as { readonly steps: number }[]).map((day) => day.steps),
  };
}

it('builds a day once for the batches of a phone that wait together, in their order', async () => {
  const phone = await harness.newPhone(caller);
  for (let batch = 0; batch < 25; batch += 1) await phone.sync('apple', { records: [steps(batch, 1), steps(59, batch)] });
  expect(await harness.work()).toBe(25);
  expect(await stateOf(phone.userId)).toEqual({
    batches: new Array(25).fill('done 1'),
    // Twenty at a time.
    events: ['created', 'updated'],
    steps: [25 + 24],
  });
});

it('applies the batches before and after one that cannot be opened, each alone', async () => {
  const phone = await harness.newPhone(caller);
  for (let batch = 0; batch < 3; batch += 1) await phone.sync('apple', { records: [steps(batch, 1)] });
  await database.current.sql`
    UPDATE phone_batches SET body = 'damaged' WHERE version = (SELECT max(version) - 1 FROM phone_batches) AND user_id = ${phone.userId}`;
  await harness.work();
  const { batches, steps: counted } = await stateOf(phone.userId);
  expect([batches, counted]).toEqual([['done 1', 'received 1', 'received 0'], [1]]);
  for (let attempt = 0; attempt < 10; attempt += 1) {
    await passTime(database.current, harness.clock, 800_000);
    await harness.work();
  }
  const last = await stateOf(phone.userId);
  expect([last.batches, last.steps]).toEqual([['done 1', 'failed 10', 'done 1'], [2]]);
});

it('keeps batches of another health store, of much data, and of an earlier attempt apart', async () => {
  const phone = await harness.newPhone(caller);
  const { sql } = database.current;
  await phone.sync('apple', { records: [steps(0, 1)] });
  await phone.sync('google', { records: [record('STEP_COUNT', '2026-01-04T08:00:00Z', 5, 'count', { zoneOffset: 'Z' })] });
  for (let minute = 1; minute < 4; minute += 1) await phone.sync('apple', { records: [steps(minute, 1)] });
  const [, , , large] = await sql<
    { batch_id: string }[]
  >`SELECT batch_id FROM phone_batches WHERE user_id = ${phone.userId} ORDER BY version`;
  await sql`UPDATE phone_batches SET body_bytes = 5000000 WHERE batch_id = ${large?.batch_id ?? ''}`;
  const worker = harness.newWorker();
  const worked: number[] = [];
  for (let done = await worker.workOldest(); done > 0; done = await worker.workOldest()) worked.push(done);
  expect(worked).toEqual([1, 1, 1, 2]);
  expect((await stateOf(phone.userId)).steps.toSorted((a, b) => a - b)).toEqual([4, 5]);
});
