import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@pulsewire/kernel';
import { createCipher } from '@pulsewire/database';
import { allPartners, createPartnerDirectory, type PartnerMaker } from '@pulsewire/labs';
import { describeScheduling } from '@pulsewire/labs/testing';
import { createHttpClient } from '@pulsewire/outbound';
import { createGetlabsSimulator, type GetlabsFault, type GetlabsSimulator } from '@pulsewire/sandbox';
import { useDatabase } from '../../support/database.ts';
import { passTime } from '../../support/pass-time.ts';
import { processEnv } from '../../support/process-env.ts';
import { program } from '../../support/programs/program.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../api/support/harness.ts';
import { createLabs, createLabWorker, workAll } from './support/lab-worker.ts';
import { address, patient } from './support/order-body.ts';

const database = useDatabase({ hasLabData: true });
const key = Buffer.alloc(32, 5);
const http = createHttpClient({ userAgent: 'test' });
const children: ChildProcess[] = [];
let company: GetlabsSimulator;
let harness: ApiHarness;
let team: Caller;
let testId: string;

const settings = () => {
  const { baseUrl, clientId, apiToken, webhookSecret } = company;
  return { baseUrl, clientId, apiToken, webhookSecret };
};
const partners = (): PartnerMaker[] =>
  allPartners.map(
    (make) =>
      ({ clock }) =>
        make({ clock, http, settings: { getlabs: settings() } }),
  );

beforeAll(async () => {
  company = await createGetlabsSimulator();
  harness = await createApiHarness(database.current, { overrides: { cipher: createCipher(new Map([[1, key]])), partners: partners() } });
  team = await harness.newCaller();
  const test = { marker_ids: [261001], name: 'At home', method: 'at_home_phlebotomy', description: 'x' };
  testId = (await team.call('POST', '/v3/lab_tests', test)).body.id;
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await harness.close();
  await company.close();
  http.close();
});

const at = (orderId: string, end = '') => `/v3/order/${orderId}/phlebotomy/appointment${end}`;
const home = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip_code: '85004' };
const slow = { async_confirmation: true, sync_confirmation_timeout_millisecond: 1000 };

async function readyOrder() {
  const { user_id: userId } = (await team.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
  const body = { user_id: userId, order_set: { lab_test_ids: [testId] }, patient_details: patient, patient_address: address };
  const reply = await team.call('POST', '/v3/order', body);
  const { order } = reply.body;
  const ready = 'received.at_home_phlebotomy.requisition_created';
  await database.current.sql`UPDATE lab_orders SET status = ${ready} WHERE order_id = ${order.id}`;
  return order;
}
async function keys(): Promise<string[]> {
  const { body } = await team.call('POST', '/v3/order/phlebotomy/appointment/availability', home);
  return body.slots.flatMap(({ slots }: { slots: { booking_key: string }[] }) => slots.map((slot) => slot.booking_key));
}
async function book(faults: GetlabsFault[] = [], body: object = {}) {
  const order = await readyOrder();
  const [bookingKey] = await keys();
  company.faults.push(...faults);
  return { order, reply: await team.call('POST', at(order.id, '/book'), { booking_key: bookingKey, ...body }) };
}
const of = (id: string) => company.appointments.filter(({ externalId }) => externalId === id);

describe('appointments at Getlabs', () => {
  it('are booked, rescheduled and cancelled with the details that Getlabs requires', async () => {
    const { order, reply } = await book([], { appointment_notes: 'Ring twice' });
    expect([reply.status, reply.body.status]).toEqual([200, 'confirmed']);
    const [known] = of(reply.body.id);
    expect(known).toMatchObject({
      id: reply.body.provider_id,
      status: 'scheduled',
      request: { notes: 'Ring twice', locationNotes: 'Gate code 1234' },
    });
    const moved = await team.call('PATCH', at(order.id, '/reschedule'), { booking_key: (await keys())[1] });
    expect([moved.body.provider_id, Date.parse(moved.body.start_at)]).toEqual([known?.id, Date.parse(known?.start ?? '')]);
    const reasons = (await team.call('GET', '/v3/order/phlebotomy/appointment/cancellation-reasons')).body;
    const cancelled = await team.call('PATCH', at(order.id, '/cancel'), { cancellation_reason_id: reasons[0].id });
    expect([cancelled.body.status, known?.status]).toEqual(['cancelled', 'canceled']);
  });

  it('fail with the reason if Getlabs rejects them, and leave no booking there', async () => {
    for (const [fault, detail] of [
      ['refused', 'The provider refused the booking'],
      ['taken', 'The slot is no longer available'],
    ] as const) {
      const { reply } = await book([fault]);
      expect([reply.status, reply.body.detail]).toEqual([500, detail]);
    }
    expect((await book(['maintenance'], slow)).reply.body.status).toBe('pending');
  });

  it('can be made after a token has expired', async () => {
    company.expireTokens();
    expect((await book()).reply.status).toBe(200);
    company.expireTokens('all');
    expect((await book()).reply.status).toBe(200);
  });
});

const worker = () =>
  createLabWorker(
    createLabs({ database: database.current, cipher: createCipher(new Map([[1, key]])), clock: harness.clock, partners: partners() }),
  );

describe('webhooks of Getlabs', () => {
  const send = (webhook: { headers: Readonly<Record<string, string>>; body: string }) =>
    harness.bare('POST', '/v2/push/lab_partner/getlabs', webhook.body, webhook.headers);

  it('update the appointment if signed, in any order and however often they arrive', async () => {
    const { order, reply } = await book();
    const known = of(reply.body.id)[0] as GetlabsSimulator['appointments'][number];
    const statuses = async () => {
      await workAll(worker());
      return (await team.call('GET', `/v3/order/${order.id}`)).body.last_event.status.split('.')[2] as string;
    };
    expect(await statuses()).toBe('appointment_scheduled');
    known.status = 'in_progress';
    const early = company.webhookOf(known);
    known.status = 'completed';
    for (const webhook of [company.webhookOf(known), early, early]) expect((await send(webhook)).status).toBe(204);
    expect(await statuses()).toBe('draw_completed');
    expect((await send(early)).status).toBe(204);
    expect(await statuses()).toBe('draw_completed');
    expect((await send({ ...early, body: early.body.replace(known.id, 'other') })).status).toBe(403);
    expect((await harness.bare('POST', '/v2/push/lab_partner/phlebfinders', '{}')).status).toBe(404);
  });
});

describe('a process that is killed while booking', () => {
  it('leaves one appointment at Getlabs, which another process finds and confirms', async () => {
    const { order, reply } = await book(['lost_call', 'held'], slow);
    const file = program('test/integration/labs/support/booking-worker.ts');
    const args = [database.url, key.toString('hex'), '5000', JSON.stringify(settings())];
    const child = spawn(process.execPath, [file, ...args], { env: processEnv, stdio: 'inherit' });
    children.push(child);
    await expect.poll(() => of(reply.body.id).length, { timeout: 25_000 }).toBe(1);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
    expect((await team.call('GET', at(order.id))).body.status).toBe('pending');
    await passTime(database.current, harness.clock, 180_000);
    await workAll(worker());
    expect((await team.call('GET', at(order.id))).body).toMatchObject({ status: 'confirmed', provider_id: of(reply.body.id)[0]?.id });
    expect(of(reply.body.id)).toHaveLength(1);
  });
});

describe('Getlabs', () => {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);

  describeScheduling(async () => {
    const other = await createGetlabsSimulator({ honoursKeys: true });
    const { baseUrl, clientId, apiToken } = other;
    const directory = createPartnerDirectory(allPartners, {
      clock: systemClock,
      http,
      settings: { getlabs: { baseUrl, clientId, apiToken } },
    });
    const partner = directory.get('phlebotomy', 'getlabs', { isSandbox: false });
    return { partner, now: new Date(), from: day(2), to: day(15), close: () => other.close() };
  });
});
