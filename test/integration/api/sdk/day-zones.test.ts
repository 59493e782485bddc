import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import type { Caller } from '../support/harness.ts';
import { createPhoneHarness, record, type Phone } from './phone-harness.ts';

const database = useDatabase();
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Caller;

beforeAll(async () => {
  harness = await createPhoneHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

const HK = 'HKQuantityTypeIdentifier';
const day = (clock: string, date = '2026-01-04') => `${date}T${clock}:00Z`;

async function send(phone: Phone, ...batches: readonly object[]) {
  for (const batch of batches) await phone.sync('apple', batch);
  expect(await harness.work()).toBe(batches.length);
}

interface Built extends Record<string, unknown> {
  readonly source: { readonly type: string };
  readonly heart_rate: Record<string, unknown>;
}

async function daysOf(userId: string) {
  const reply = await caller.call('GET', `/v2/summary/activity/${userId}?start_date=2025-10-01&end_date=2026-03-31`);
  return reply.body.activity as Built[];
}

it('names the zone of the last reading of a day, in whatever order batches arrive', async () => {
  const [traveller, android] = await Promise.all([harness.newPhone(caller), harness.newPhone(caller)]);
  const steps = (from: string, zoneName: string | null, more: object = {}) =>
    record(`${HK}StepCount`, from, 1, 'count', { metadata: zoneName && { HKTimeZone: zoneName }, ...more });
  const zonesOf = async (userId: string) =>
    (await daysOf(userId)).map((own) => [own['calendar_date'], own['time_zone'], own['timezone_offset']]);
  await send(
    traveller,
    { records: [steps(day('20:00'), 'Europe/Lisbon')] },
    { records: [steps(day('08:00'), 'Europe/Berlin'), steps(day('08:00', '2026-01-05'), 'Europe/Lisbon')] },
    // Without a zone, that of the phone holds where it has the item's offset.
    { records: [steps(day('08:00', '2026-01-06'), null), steps(day('08:00', '2026-01-07'), null, { zoneOffset: '+05:00' })] },
    { records: [record(`${HK}RestingHeartRate`, day('08:00', '2026-01-08'), 55, 'bpm')] },
  );
  const expected = [
    ['2026-01-04', 'Europe/Lisbon', 0],
    ['2026-01-05', 'Europe/Lisbon', 0],
    ['2026-01-06', 'Europe/Lisbon', 0],
    ['2026-01-07', null, 18_000],
    ['2026-01-08', 'Europe/Lisbon', null],
  ];
  expect(await zonesOf(traveller.userId)).toEqual(expected);
  await send(traveller, { records: [steps(day('08:00'), 'Europe/Berlin')] });
  expect(await zonesOf(traveller.userId)).toEqual(expected);
  await android.sync('google', { records: [record('STEP_COUNT', day('08:00'), 1, 'count', { zoneOffset: '+01:00' })] });
  await harness.work();
  expect(await zonesOf(android.userId)).toEqual([['2026-01-04', null, 3600]]);
});

it('reads resting heart rates of the touched days only, each on its local day', async () => {
  const phone = await harness.newPhone(caller);
  const resting = (from: string, value: number) => record('RESTING_HEART_RATE', from, value, 'bpm', { zoneOffset: '+13:00' });
  await send(phone, {
    records: [
      resting(day('10:00'), 50),
      resting(day('11:30'), 51),
      resting(day('10:00', '2026-02-10'), 60),
      resting(day('12:00', '2026-02-20'), 70),
    ],
  });
  const days = async () => (await daysOf(phone.userId)).map((own) => [own['calendar_date'], own.heart_rate['resting_bpm']]);
  expect(await days()).toEqual([
    ['2026-01-04', 50],
    ['2026-01-05', 51],
    ['2026-02-10', 60],
    ['2026-02-21', 70],
  ]);
});
