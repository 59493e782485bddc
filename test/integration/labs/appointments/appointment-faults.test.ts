import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCipher, rotateSealed } from '@pulsewire/database';
import { allJobKinds, eraseLabsOfUser, labSealedColumns, type JobKind } from '@pulsewire/labs';
import { useDatabase } from '../../../support/database.ts';
import { passTime } from '../../../support/pass-time.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../../api/support/harness.ts';
import { createLabs, createLabWorker, workAll } from '../support/lab-worker.ts';
import { placeOrder } from '../support/order-body.ts';
import { createPartnerStub, type Fault } from '../support/partner-stub.ts';

const database = useDatabase({ hasLabData: true });
const oldKey = Buffer.alloc(32, 1);
const cipher = createCipher(new Map([[1, oldKey]]));
const stub = createPartnerStub();
const live = new AbortController().signal;
const reasonId = '00000000-0000-4000-8000-000000000001';
const home = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip_code: '85004' };
const slow = { async_confirmation: true, sync_confirmation_timeout_millisecond: 1000, async_confirmation_timeout_millisecond: 120_000 };
let harness: ApiHarness;
let team: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current, {
    config: { sandboxUsersMax: 1000 },
    overrides: { cipher, partners: [stub.maker] },
  });
  team = await harness.newCaller({ isSandbox: true });
});
afterAll(() => harness.close());
beforeEach(async () => {
  await database.current.sql`DELETE FROM lab_partner_jobs`;
  stub.bookings.length = stub.calls.length = stub.faults.length = 0;
});

const labs = () => createLabs({ database: database.current, cipher, clock: harness.clock, partners: [stub.maker] });
const worker = (kinds?: readonly JobKind[]) => createLabWorker(labs(), kinds);
async function later(ms: number): Promise<void> {
  await passTime(database.current, harness.clock, ms);
  await workAll(worker());
}

async function readyOrder() {
  const order = await placeOrder(team, 'at_home_phlebotomy');
  await team.call('POST', `/v3/order/${order.id}/test?final_status=received.at_home_phlebotomy.requisition_created`, {});
  return order;
}
const at = (orderId: string, end = '') => `/v3/order/${orderId}/phlebotomy/appointment${end}`;
async function keyOf(index = 0): Promise<string> {
  const { body } = await team.call('POST', '/v3/order/phlebotomy/appointment/availability', home);
  return body.slots.flatMap(({ slots }: { slots: { booking_key: string }[] }) => slots)[index].booking_key;
}
async function book(faults: Fault[], body: object = {}) {
  const order = await readyOrder();
  stub.faults.push(...faults);
  return { order, reply: await team.call('POST', at(order.id, '/book'), { booking_key: await keyOf(), ...body }) };
}
const read = async (orderId: string) => (await team.call('GET', at(orderId))).body;
const lowStatus = async (orderId: string) => (await team.call('GET', `/v3/order/${orderId}`)).body.last_event.status.split('.')[2];
const booked = () => stub.calls.filter((call) => call === 'book').length;
const rowOf = async (orderId: string) =>
  (
    await database.current
      .sql`SELECT status, event_status FROM lab_appointments WHERE order_id = ${orderId} ORDER BY created_at DESC LIMIT 1`
  )[0];

describe('a booking with an unknown outcome', () => {
  it.each([
    ['the response is lost', ['lost_response'], 1],
    ['the call is lost', ['lost_call'], 2],
    ['the call and then a response are lost', ['lost_call', 'lost_response'], 2],
  ] as const)('is made once when %s, and then confirmed in the background', async (_name, faults, calls) => {
    const { order, reply } = await book([...faults], slow);
    expect([reply.status, reply.body.status, reply.body.provider_id]).toEqual([200, 'pending', '']);
    expect(await lowStatus(order.id)).toBe('requisition_created');
    await later(2000);
    await later(5000);
    expect([await read(order.id), stub.active().length, booked()]).toMatchObject([{ status: 'confirmed' }, 1, calls]);
    expect(await lowStatus(order.id)).toBe('appointment_scheduled');
  });

  it('leaves none at the partner after the request that waited for it has failed', async () => {
    for (const fault of ['lost_response', 'slow'] as const) {
      const { order, reply } = await book([fault]);
      expect([reply.status, reply.body.detail]).toEqual([500, 'The provider did not confirm the booking in time']);
      expect([(await team.call('GET', at(order.id))).status, await lowStatus(order.id)]).toEqual([404, 'requisition_created']);
      await later(0);
      expect(stub.active()).toEqual([]);
    }
  });

  it('is cancelled at the partner even if it arrives there after our lookup', async () => {
    const { order, reply } = await book(['lost_call'], slow);
    expect((await team.call('PATCH', at(order.id, '/cancel'), { cancellation_reason_id: reasonId })).body.status).toBe('cancelled');
    await later(0);
    const request = {} as never;
    stub.bookings.push({ providerId: 'late', appointmentId: reply.body.id, request, state: 'scheduled', startAt: null, endAt: null });
    await later(600_000);
    expect(stub.active()).toEqual([]);
  });
});

describe('a confirmation', () => {
  it('that is delayed is awaited until the deadline of the request', async () => {
    const { order, reply } = await book(['unconfirmed'], slow);
    expect(reply.body).toMatchObject({ status: 'pending', event_status: 'pending', can_reschedule: false });
    expect(reply.body.start_at).not.toBeNull();
    await later(60_000);
    expect((await read(order.id)).status).toBe('pending');
    stub.confirm();
    await later(2000);
    expect([(await read(order.id)).status, booked()]).toEqual(['confirmed', 1]);
  });

  it('that never arrives cancels the appointment at the deadline, here and at the partner', async () => {
    const { order } = await book(['unconfirmed'], slow);
    await later(119_000);
    expect(await rowOf(order.id)).toMatchObject({ status: 'pending' });
    await later(1000);
    expect(await rowOf(order.id)).toMatchObject({ status: 'cancelled', event_status: 'cancelled' });
    expect([await lowStatus(order.id), stub.active()]).toEqual(['requisition_created', []]);
    const [event] = await database.current.sql<{ json: string }[]>`
      SELECT json FROM log_events WHERE user_id = ${order.user_id} AND event_type = 'labtest.appointment.updated'`;
    expect(JSON.parse(event?.json ?? '').event_data).toMatchObject({ reason: 'not_confirmed' });
  });
});

describe('a process that crashes', () => {
  /** Job kinds whose attempts never end, before or after they have called the partner. */
  const dying = (point: 'before' | 'after'): JobKind[] =>
    allJobKinds.map((kind) => ({
      ...kind,
      attempt: async (...call) => {
        if (point === 'after') await kind.attempt(...call);
        return new Promise(() => {});
      },
    }));

  it.each(['before', 'after'] as const)(
    '%s the call to the partner leaves a booking that another process completes exactly once',
    async (point) => {
      const { order } = await book(['lost_call'], slow);
      await passTime(database.current, harness.clock, 2000);
      void worker(dying(point)).workOne(live);
      await expect.poll(async () => (await database.current.sql`SELECT lease_epoch::int AS n FROM lab_partner_jobs`)[0]?.['n']).toBe(2);
      if (point === 'after') await expect.poll(() => stub.bookings.length).toBe(1);
      await workAll(worker());
      expect((await read(order.id)).status, 'while the lease lasts').toBe('pending');
      await later(40_000);
      expect([(await read(order.id)).status, stub.active().length]).toEqual(['confirmed', 1]);
    },
  );

  it('is replaced by exactly one process, which completes the booking', async () => {
    const { order } = await book(['lost_call'], slow);
    await passTime(database.current, harness.clock, 2000);
    await Promise.all(Array.from({ length: 4 }, () => workAll(worker())));
    expect([(await read(order.id)).status, stub.bookings.length]).toEqual(['confirmed', 1]);
  });
});

describe('what partners receive', () => {
  it('includes the access notes of the order and the notes of the appointment', async () => {
    const { order } = await book([], { appointment_notes: 'Ring twice' });
    const request = () => stub.bookings[0]?.request;
    expect(request()).toMatchObject({ notes: 'Ring twice', address: { accessNotes: 'Gate code 1234' }, patient: { firstName: 'Ann' } });
    await team.call('PATCH', at(order.id, '/reschedule'), { booking_key: await keyOf(1) });
    expect(request()).toMatchObject({ notes: 'Ring twice', address: { accessNotes: 'Gate code 1234' } });
    await team.call('PATCH', at(order.id, '/reschedule'), { booking_key: await keyOf(0), appointment_notes: 'Knock' });
    expect(request()?.notes).toBe('Knock');
  });
});

describe('changes at the partner', () => {
  const report = async (state: 'scheduled' | 'in_progress' | 'completed' | 'cancelled' | 'unknown') => {
    Object.assign(stub.bookings[0] ?? {}, { state });
    await later(7 * 3_600_000);
  };

  it('are applied until the visit ends, even when reported twice or out of order', async () => {
    const { order } = await book([]);
    await report('scheduled');
    await report('unknown');
    await report('in_progress');
    await report('scheduled');
    expect(await rowOf(order.id)).toMatchObject({ event_status: 'in_progress' });
    await report('completed');
    await report('cancelled');
    expect(await rowOf(order.id)).toMatchObject({ status: 'completed' });
    expect(await lowStatus(order.id)).toBe('draw_completed');
    // The visit is on a day in Phoenix, from which the results are expected.
    const { expected_result_by_date: expected, lab_test: test } = (await team.call('GET', `/v3/order/${order.id}`)).body;
    const day = new Date((stub.bookings[0]?.startAt?.getTime() ?? 0) - 7 * 3_600_000).toISOString().slice(0, 10);
    expect((Date.parse(expected) - Date.parse(day)) / 86_400_000).toBe(test.common_tat_days);
    const events = await database.current.sql<{ status: string }[]>`
      SELECT e.status FROM lab_appointment_events e JOIN lab_appointments USING (appointment_id) WHERE order_id = ${order.id} ORDER BY event_id`;
    expect(events.map(({ status }) => status)).toEqual(['pending', 'scheduled', 'in_progress', 'completed']);
  });

  it('are adopted when a rescheduling succeeded without a response', async () => {
    const { order, reply } = await book([]);
    stub.faults.push('lost_response');
    const moved = await team.call('PATCH', at(order.id, '/reschedule'), { booking_key: await keyOf(1) });
    expect([moved.status, (await read(order.id)).start_at]).toEqual([500, reply.body.start_at]);
    await later(1000);
    const after = await read(order.id);
    expect([after.start_at === reply.body.start_at, after.event_data]).toMatchObject([false, { origin: 'provider', is_reschedule: true }]);
  });

  it('are fetched again within minutes when a lookup fails, however many succeeded before', async () => {
    const { order } = await book([]);
    for (let polls = 0; polls < 8; polls++) await report('scheduled');
    stub.isDown = true;
    await report('cancelled');
    stub.isDown = false;
    await later(13 * 60_000);
    expect(await rowOf(order.id)).toMatchObject({ status: 'cancelled' });
  });

  it('cancel the appointment when the partner cancels it', async () => {
    const { order } = await book([]);
    await report('cancelled');
    expect([await rowOf(order.id), await lowStatus(order.id)]).toMatchObject([{ status: 'cancelled' }, 'appointment_cancelled']);
  });
});

describe('a cancellation', () => {
  it('changes nothing until the partner has decided', async () => {
    const { order } = await book([]);
    const cancel = () => team.call('PATCH', at(order.id, '/cancel'), { cancellation_reason_id: reasonId });
    stub.faults.push('refusal');
    expect((await cancel()).body.detail).toBe('The provider refused to cancel');
    expect((await read(order.id)).status).toBe('confirmed');
    stub.faults.push('lost_response');
    expect((await cancel()).body.detail).toBe('The provider has not confirmed the cancellation yet');
    expect((await team.call('PATCH', at(order.id, '/reschedule'), { booking_key: await keyOf(1) })).status).toBe(400);
    await later(2000);
    expect([await rowOf(order.id), await lowStatus(order.id)]).toMatchObject([{ status: 'cancelled' }, 'appointment_cancelled']);
    expect((await cancel()).status).toBe(200);
  });
});

describe('personal data of an appointment', () => {
  it('remains readable after a key rotation, and is erased with the user, as are partner calls', async () => {
    const { order, reply } = await book([], { appointment_notes: 'Ring twice' });
    const keys = new Map([
      [1, oldKey],
      [2, Buffer.alloc(32, 2)],
    ]);
    for (const column of labSealedColumns) expect((await rotateSealed(database.current, createCipher(keys), column)).unreadable).toBe(0);
    const rotated = createCipher(new Map([[2, Buffer.alloc(32, 2)]]));
    const other = await createApiHarness(database.current, { overrides: { cipher: rotated, partners: [stub.maker] } });
    const after = await other.api.app.inject({ url: at(order.id), headers: { 'x-service-api-key': team.key } });
    expect(after.json()).toEqual(reply.body);
    await other.close();
    for (const column of labSealedColumns) await rotateSealed(database.current, createCipher(keys, 1), column);
    const [row] = await database.current.sql`SELECT * FROM lab_appointments WHERE order_id = ${order.id}`;
    expect(JSON.stringify({ ...row, details: row?.['details'].toString('latin1') })).not.toMatch(/Main St|Ring twice|Gate/);
    await database.current.transaction((tx) =>
      eraseLabsOfUser(tx, { teamId: team.team.teamId, userId: order.user_id }, harness.clock.now()),
    );
    for (const table of ['lab_appointments', 'lab_partner_jobs'])
      expect(await database.current.sql`SELECT 1 FROM ${database.current.sql(table)} WHERE order_id = ${order.id}`).toEqual([]);
    expect((await team.call('GET', at(order.id))).status).toBe(404);
  });
});
