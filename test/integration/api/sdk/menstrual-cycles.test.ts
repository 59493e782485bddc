import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import type { Caller } from '../support/harness.ts';
import { createPhoneHarness, record, watch } from './phone-harness.ts';

const database = useDatabase();
let harness: Awaited<ReturnType<typeof createPhoneHarness>>;
let caller: Caller;

beforeAll(async () => {
  harness = await createPhoneHarness(database.current);
  caller = await harness.newCaller();
});
afterAll(() => harness.close());

const days = 'start_date=2026-01-01&end_date=2026-01-31';

const category = (name: string, day: string, value: number, more: object = {}) =>
  record(`HKCategoryTypeIdentifier${name}`, `${day}T11:00:00Z`, value, null, { endDate: `${day}T11:30:00Z`, ...more });
const cyclesOf = async (userId: string) =>
  (await caller.call('GET', `/v2/summary/menstrual_cycle/${userId}?${days}`)).body['menstrual_cycle'] as Record<string, unknown>[];
const changesOf = async (userId: string) => {
  const events = await database.current.sql<{ event_type: string }[]>`
    SELECT event_type FROM log_events WHERE user_id = ${userId} AND event_type LIKE '%menstrual_cycle%' ORDER BY 1`;
  return events.map(({ event_type: type }) => type);
};

it('builds a menstrual cycle from several batches, under one id while its period continues', async () => {
  const phone = await harness.newPhone(caller);
  const sync = async (...records: object[]) => {
    await phone.sync('apple', { records });
    await harness.work();
  };
  // Other types than the flow may arrive first: a phone sends one type per batch.
  await sync(category('CervicalMucusQuality', '2026-01-14', 5), category('OvulationTestResult', '2026-01-15', 2));
  expect(await cyclesOf(phone.userId)).toEqual([]);
  await sync(category('MenstrualFlow', '2026-01-03', 3, { metadata: { HKMenstrualCycleStart: '1' } }));
  const [first] = await cyclesOf(phone.userId);
  await sync(
    category('MenstrualFlow', '2026-01-04', 4, { source: { ...watch, deviceType: 'phone' } }),
    category('MenstrualFlow', '2026-01-05', 5),
    category('IntermenstrualBleeding', '2026-01-16', 0),
    category('SexualActivity', '2026-01-17', 0, { metadata: { HKSexualActivityProtectionUsed: '0' } }),
    record('HKQuantityTypeIdentifierBasalBodyTemperature', '2026-01-18T06:00:00Z', 36.7, 'degC'),
    category('MenstrualFlow', '2026-01-30', 99),
  );
  const [cycle, latest] = await cyclesOf(phone.userId);
  expect(cycle).toMatchObject({
    id: first?.['id'],
    period_start: '2026-01-03',
    period_end: '2026-01-04',
    cycle_end: '2026-01-29',
    menstrual_flow: [
      { date: '2026-01-03', flow: 'medium' },
      { date: '2026-01-04', flow: 'heavy' },
      { date: '2026-01-05', flow: 'none' },
    ],
    cervical_mucus: [{ date: '2026-01-14', quality: 'egg_white' }],
    ovulation_test: [{ date: '2026-01-15', test_result: 'luteinizing_hormone_surge' }],
    intermenstrual_bleeding: [{ date: '2026-01-16' }],
    sexual_activity: [{ date: '2026-01-17', protection_used: false }],
    basal_body_temperature: [{ date: '2026-01-18', value: 36.7 }],
    source: { type: 'app' },
  });
  expect(latest).toMatchObject({ period_start: '2026-01-30', cycle_end: null, menstrual_flow: [{ flow: 'unspecified' }] });
  const { groups } = (await caller.call('GET', `/v2/timeseries/${phone.userId}/basal_body_temperature/grouped?${days}`)).body;
  expect(groups).toMatchObject({ apple_health_kit: [{ source: { type: 'watch' }, data: [{ value: 36.7 }] }] });
  expect(await changesOf(phone.userId)).toEqual([
    'daily.data.menstrual_cycle.created',
    'daily.data.menstrual_cycle.created',
    'daily.data.menstrual_cycle.updated',
  ]);
});

it('changes nothing when entries of a cycle are repeated, and replaces a cycle whose first day is late', async () => {
  const phone = await harness.newPhone(caller);
  const flow = ['2026-01-10', '2026-01-11'].map((day) => category('MenstrualFlow', day, 2));
  for (let sent = 0; sent < 2; sent += 1) await phone.sync('apple', { records: flow });
  expect(await harness.work()).toBe(2);
  expect(await changesOf(phone.userId)).toEqual(['daily.data.menstrual_cycle.created']);
  await phone.sync('apple', { records: [category('MenstrualFlow', '2026-01-09', 3)] });
  await harness.work();
  expect(await cyclesOf(phone.userId)).toMatchObject([{ period_start: '2026-01-09', period_end: '2026-01-11' }]);
});

it('leaves a deleted entry out of its cycle, and removes a cycle without any flow', async () => {
  const phone = await harness.newPhone(caller);
  const [first, second] = [category('MenstrualFlow', '2026-01-10', 2), category('MenstrualFlow', '2026-01-11', 2)];
  await phone.sync('apple', { records: [first, second] });
  await phone.sync('apple', { deleted: [{ id: second?.id }] });
  await harness.work();
  expect(await cyclesOf(phone.userId)).toMatchObject([{ period_end: '2026-01-10', menstrual_flow: [{ date: '2026-01-10' }] }]);
  await phone.sync('apple', { deleted: [{ id: first?.id }] });
  await harness.work();
  expect(await cyclesOf(phone.userId)).toEqual([]);
});

it('dates an entry in the zone of its record, on each day that it covers', async () => {
  const phone = await harness.newPhone(caller);
  const night = { endDate: '2026-01-05T10:00:00Z', metadata: { HKTimeZone: 'Pacific/Auckland' } };
  await phone.sync('apple', { records: [record('HKCategoryTypeIdentifierMenstrualFlow', '2026-01-03T12:00:00Z', 2, null, night)] });
  await harness.work();
  expect(await cyclesOf(phone.userId)).toMatchObject([
    { period_start: '2026-01-04', period_end: '2026-01-05', menstrual_flow: [{ date: '2026-01-04' }, { date: '2026-01-05' }] },
  ]);
});
