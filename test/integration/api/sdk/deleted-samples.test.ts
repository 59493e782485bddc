import { afterAll, beforeAll, expect, it } from 'vitest';
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

const stepType = 'HKQuantityTypeIdentifierStepCount';
// 14 hours ahead of UTC.
const zone = { metadata: { HKTimeZone: 'Pacific/Kiritimati' } };
const steps = (clock: string, value: number, more: object = {}) =>
  record(stepType, `2026-01-04T${clock}:00Z`, value, 'count', { ...zone, ...more });

const days = 'start_date=2026-01-01&end_date=2026-01-31';
async function valuesOf(userId: string, series: string) {
  const { body } = await caller.call('GET', `/v2/timeseries/${userId}/${series}?${days}`);
  return (body as { readonly value: number }[]).map(({ value }) => value);
}
async function stepsOf(userId: string) {
  const { body } = await caller.call('GET', `/v2/summary/activity/${userId}?${days}`);
  return (body.activity as Record<string, unknown>[]).map((own) => [own['calendar_date'], own['steps']]);
}
async function removalsOf(userId: string) {
  const rows = await database.current.sql<{ event_type: string }[]>`
    SELECT event_type FROM log_events WHERE user_id = ${userId} AND event_type LIKE '%.removed' ORDER BY day, "offset"`;
  return rows.map(({ event_type: type }) => type);
}

it('removes a deleted sample of a frequent series and counts its day again', async () => {
  const phone = await harness.newPhone(caller);
  const [early, late, other] = [steps('08:00', 100), steps('11:00', 30), steps('09:00', 20)];
  await phone.sync('apple', { records: [early, late] });
  await phone.sync('apple', { records: [other] });
  await harness.work();
  expect(await stepsOf(phone.userId)).toEqual([
    ['2026-01-04', 120],
    ['2026-01-05', 30],
  ]);
  await phone.sync('apple', { deleted: [{ id: early.id, type: stepType }, { id: crypto.randomUUID() }] });
  await harness.work();
  expect(await valuesOf(phone.userId, 'steps')).toEqual([20, 30]);
  expect(await stepsOf(phone.userId)).toEqual([
    ['2026-01-04', 20],
    ['2026-01-05', 30],
  ]);
  // Without a type, and all of a day.
  await phone.sync('apple', { deleted: [{ id: late.id }] });
  await harness.work();
  expect(await stepsOf(phone.userId)).toEqual([['2026-01-04', 20]]);
  expect(new Set(await removalsOf(phone.userId))).toEqual(new Set(['data.samples.removed', 'data.summaries.removed']));
});

it('keeps a sample that another item has replaced since', async () => {
  const phone = await harness.newPhone(caller);
  const [former, present] = [steps('08:00', 100), steps('08:00', 90)];
  await phone.sync('apple', { records: [former] });
  await phone.sync('apple', { records: [present] });
  await phone.sync('apple', { deleted: [{ id: former.id, type: stepType }] });
  await harness.work();
  expect(await valuesOf(phone.userId, 'steps')).toEqual([90]);
  await phone.sync('apple', { deleted: [{ id: present.id, type: stepType }] });
  await harness.work();
  expect(await valuesOf(phone.userId, 'steps')).toEqual([]);
});

it('removes the samples of a deleted record that contains them, or one of them', async () => {
  const phone = await harness.newPhone(caller);
  const beat = (index: number, parentId: string, bpm: number) =>
    record('HEART_RATE', `2026-01-04T08:0${index}:00Z`, bpm, 'bpm', { id: `${parentId}-s${index}`, parentId, zoneOffset: 'Z' });
  const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
  await phone.sync('google', { records: [beat(0, one, 60), beat(1, one, 61), beat(2, two, 70), beat(3, two, 71)] });
  await phone.sync('google', {
    deleted: [
      { id: one, type: 'HEART_RATE' },
      { id: `${two}-s3`, type: 'HEART_RATE' },
    ],
  });
  await harness.work();
  expect(await valuesOf(phone.userId, 'heartrate')).toEqual([70]);
});

it('deletes nothing of another user, and nothing by the ids of another series', async () => {
  const [phone, stranger] = await Promise.all([harness.newPhone(caller), harness.newPhone(caller)]);
  const own = steps('08:00', 100);
  await phone.sync('apple', { records: [own] });
  await stranger.sync('apple', { records: [steps('08:00', 7)] });
  await stranger.sync('apple', { deleted: [{ id: own.id }] });
  await phone.sync('apple', { deleted: [{ id: own.id, type: 'HKQuantityTypeIdentifierHeartRate' }] });
  await harness.work();
  expect([await valuesOf(phone.userId, 'steps'), await valuesOf(stranger.userId, 'steps')]).toEqual([[100], [7]]);
});
