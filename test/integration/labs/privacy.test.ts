import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Logger, Metrics } from '@pulsewire/kernel';
import { createCipher } from '@pulsewire/database';
import { allJobKinds, allPartners, createJobWorker, labSealedColumns, type PartnerMaker } from '@pulsewire/labs';
import { createHttpClient } from '@pulsewire/outbound';
import { createLabCompany, type LabCompany } from '@pulsewire/sandbox';
import { useDatabase } from '../../support/database.ts';
import { passTime } from '../../support/pass-time.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../api/support/harness.ts';
import { createLabs, workAll } from './support/lab-worker.ts';
import { address, orderBody, patient, placeOrder, shipping } from './support/order-body.ts';
import { createPartnerStub } from './support/partner-stub.ts';

const database = useDatabase({ hasLabData: true });
const cipher = createCipher(new Map([[1, Buffer.alloc(32, 7)]]));
const http = createHttpClient({ userAgent: 'test' });
const stub = createPartnerStub();
const written: string[] = [];
const write = (fields: object, event: string) => void written.push(`${event} ${JSON.stringify(fields)}`);
const logger: Logger = { debug: write, info: write, warn: write, error: write, child: () => logger };
const measure = (name: string, ...rest: readonly unknown[]) => void written.push(`${name} ${JSON.stringify(rest)}`);
const metrics: Metrics = { count: measure, observe: measure, gauge: measure };
const home = { first_line: '7 Hidden Lane', city: 'Phoenix', state: 'AZ', zip_code: '85004', access_notes: 'Gate code 5678' };
const reasonId = '00000000-0000-4000-8000-000000000001';
/** Everything personal that is sent below. */
const personal =
  /O'Hara|1990-02-01|555.?0100|ann@example|1 Main St|Gate code|Hidden Lane|Ring twice|Ben Receiver|Secretnote|M-4711|Meg|4\.2 mmol/;
let company: LabCompany;
let harness: ApiHarness;
let team: Caller;

const partners = (): PartnerMaker[] => [
  stub.maker,
  ...allPartners.map((make): PartnerMaker => ({ clock }) => {
    const { baseUrl, token, webhookSecret } = company;
    const given = { baseUrl, token, webhookSecret, labs: 'quest,ussl' };
    return make({ clock, http, settings: { lab: given, kits: given } });
  }),
];
const work = () => {
  const labs = createLabs({ database: database.current, cipher, clock: harness.clock, partners: partners() });
  return workAll(createJobWorker({ labs, logger, metrics, kinds: allJobKinds, concurrency: 1, idleMs: 5 }));
};

beforeAll(async () => {
  company = await createLabCompany();
  harness = await createApiHarness(database.current, {
    config: { sandboxUsersMax: 1000 },
    logger,
    overrides: { cipher, metrics, partners: partners() },
  });
  team = await harness.newCaller({ isSandbox: true });
});
afterAll(async () => {
  await harness.close();
  await company.close();
  http.close();
});

/** Bookings that succeed and fail, of a sandbox team. */
async function visits(): Promise<void> {
  for (const faults of [[], ['refusal'], ['lost_response'], ['lost_call']] as const) {
    const { id } = await placeOrder(team, 'at_home_phlebotomy', { clinical_notes: 'Secretnote' });
    await team.call('POST', `/v3/order/${id}/test?final_status=received.at_home_phlebotomy.requisition_created`, {});
    const { slots } = (await team.call('POST', '/v3/order/phlebotomy/appointment/availability', home)).body;
    const key = slots.flatMap((day: { slots: { booking_key: string }[] }) => day.slots)[0].booking_key;
    stub.faults.push(...faults);
    const at = `/v3/order/${id}/phlebotomy/appointment`;
    await team.call('POST', `${at}/book`, { booking_key: key, appointment_notes: 'Ring twice' });
    await team.call('PATCH', `${at}/cancel`, { cancellation_reason_id: reasonId, notes: 'Secretnote' });
    await work();
  }
}

/** Orders and kits of a team with real partners, which fail at first, and what these report. */
async function orders(): Promise<void> {
  const real = await harness.newCaller();
  const create = async (method: string, marker: number) =>
    (await real.call('POST', '/v3/lab_tests', { marker_ids: [marker], name: method, method, description: 'x' })).body.id as string;
  const [walkIn, kit] = [await create('walk_in_test', 261001), await create('testkit', 45006)];
  const { user_id: userId } = (await real.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
  company.faults.push('unavailable', 'lost_response', 'refused');
  const physician = { first_name: 'Meg', last_name: 'Doc', npi: '1234567890' };
  const insurance = { payor_code: 'AARP', insurance_id: 'M-4711', responsible_relationship: 'Self' };
  const body = { user_id: userId, order_set: { lab_test_ids: [walkIn] }, patient_details: patient, patient_address: address, physician };
  for (let count = 0; count < 3; count++)
    expect(
      (await real.call('POST', '/v3/order', { ...body, health_insurance: insurance }, { 'x-idempotency-key': `k${count}` })).status,
    ).toBe(200);
  await real.call('POST', '/v3/order/testkit', { user_id: userId, lab_test_id: kit, shipping_details: shipping });
  for (let round = 0; round < 3; round++) {
    await passTime(database.current, harness.clock, 60_000);
    await work();
  }
  const at = new Date().toISOString();
  const value = { code: '1001', value: '4.2', unit: 'mmol/L', note: 'Secretnote' };
  const person = { first_name: 'Ann', last_name: "O'Hara", birth_date: '1990-02-01', gender: 'female' };
  const report = { status: 'final', collected_at: at, patient: person, results: [value], missing: [] };
  for (const [index, { orderId, sampleId }] of [...company.orders, { orderId: 'none', sampleId: "O'Hara" }].entries()) {
    const notice = { kind: 'results', order_id: orderId, sample_id: index === 0 ? "O'Hara" : sampleId, at, report };
    const { headers, body: sent } = company.labWebhook([notice]);
    await harness.bare('POST', '/v2/push/lab_partner/lab-quest', sent, headers);
  }
  await real.call('GET', `/v3/orders?patient_name=${encodeURIComponent("O'Hara")}`);
  await real.call('POST', '/v3/order', { ...body, patient_details: { ...patient, phone_number: '555-0100', dob: 'Secretnote' } });
}

test('no personal data of orders is written to logs, metrics, partner jobs or unencrypted columns', { timeout: 60_000 }, async () => {
  await visits();
  await orders();
  await team.call('POST', '/v3/order', await orderBody(team, 'walk_in_test', { lab_test_id: 'Secretnote' }));
  expect(written.some((line) => line.startsWith('lab_job.finished'))).toBe(true);
  expect(written.some((line) => line.startsWith('lab_partner_jobs_total'))).toBe(true);
  expect(written.filter((line) => personal.test(line))).toEqual([]);
  const { sql } = database.current;
  const tables = await sql<{ name: string }[]>`
    SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND (table_name LIKE 'lab\\_%' OR table_name = 'audit_events')`;
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['lab_partner_jobs', 'lab_orders', 'lab_appointments']));
  for (const { name } of tables.filter((table) => table.name !== 'lab_service_centers')) {
    const rows = await sql<Record<string, unknown>[]>`SELECT * FROM ${sql(name)} LIMIT 5000`;
    // Sealed values are bytes; were they not sealed, their text would be found.
    const text = JSON.stringify(rows, (_, value: unknown) => {
      const bytes = value as { type?: string; data?: number[] } | null;
      return bytes?.type === 'Buffer' && bytes.data ? Buffer.from(bytes.data).toString('latin1') : value;
    });
    expect(personal.exec(text)?.[0], name).toBeUndefined();
  }
  const bytes = await sql<{ column: string }[]>`
    SELECT table_name || '.' || column_name AS column FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name LIKE 'lab\\_%' AND data_type = 'bytea' ORDER BY 1`;
  expect(bytes.map(({ column }) => column)).toEqual(labSealedColumns.map(({ table, column }) => `${table}.${column}`).toSorted());
});
