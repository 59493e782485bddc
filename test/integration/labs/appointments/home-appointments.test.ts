import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../../api/support/harness.ts';
import { address as patientAddress, patient, placeOrder } from '../support/order-body.ts';

const database = useDatabase({ hasLabData: true });
let harness: ApiHarness;
let team: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current, { config: { sandboxUsersMax: 1000 } });
  team = await harness.newCaller({ isSandbox: true });
});
afterAll(() => harness.close());

const home = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip_code: '85004' };
const path = '/v3/order/phlebotomy/appointment';
type Slot = { booking_key: string; start: string; end: string };

async function readyOrder(caller = team, changes: object = {}) {
  const order = await placeOrder(caller, 'at_home_phlebotomy', changes);
  await caller.call('POST', `/v3/order/${order.id}/test?final_status=received.at_home_phlebotomy.requisition_created`, {});
  return order;
}
async function slotsOf(caller = team, address: object = home): Promise<Slot[]> {
  const { body } = await caller.call('POST', `${path}/availability`, address);
  return body.slots.flatMap(({ slots }: { slots: Slot[] }) => slots);
}
const keyOf = async (index = 0, caller = team) => ((await slotsOf(caller))[index] as Slot).booking_key;
const at = (orderId: string, end = '') => `/v3/order/${orderId}/phlebotomy/appointment${end}`;
const book = async (orderId: string, changes: object = {}, caller = team) =>
  caller.call('POST', at(orderId, '/book'), { booking_key: await keyOf(0, caller), ...changes });
const lowStatuses = async (orderId: string) =>
  (await team.call('GET', `/v3/order/${orderId}`)).body.events.map(({ status }: { status: string }) => status.split('.')[2]);
const announced = async (userId: string) =>
  (
    await database.current.sql<{ type: string; json: string }[]>`
      SELECT event_type AS type, json FROM log_events WHERE user_id = ${userId} AND event_type LIKE 'labtest.appointment.%' ORDER BY "offset"`
  ).map(({ type, json }) => `${type.split('.')[2]} ${JSON.parse(json).event_status}`);

describe('available slots', () => {
  it('cover 14 local days from tomorrow or from the requested day', async () => {
    const { body } = await team.call('POST', `${path}/availability`, home);
    expect([body.timezone, body.slots.length]).toEqual(['America/Phoenix', 14]);
    const today = harness.clock.now().toLocaleDateString('en-CA', { timeZone: 'America/Phoenix' });
    expect(body.slots[0].date > today).toBe(true);
    for (const { date, slots, location } of body.slots) {
      expect(location).toBeNull();
      for (const { start } of slots) expect(new Date(start).toLocaleDateString('en-CA', { timeZone: 'America/Phoenix' })).toBe(date);
    }
    const later = await team.call('POST', `${path}/availability?start_date=2099-02-20`, home);
    expect(later.body.slots.map(({ date }: { date: string }) => date)).toEqual(
      expect.arrayContaining(['2099-02-20', '2099-02-28', '2099-03-01', '2099-03-05']),
    );
    const [first, second] = [await slotsOf(), await slotsOf()];
    expect(first[0]?.start).toBe(second[0]?.start);
    expect(first[0]?.booking_key).not.toBe(second[0]?.booking_key);
  });

  it('are not returned for past days, or for unserved or invalid addresses', async () => {
    const ask = async (address: object, query = '') => (await team.call('POST', `${path}/availability${query}`, address)).status;
    expect(await ask(home, '?start_date=2020-01-01')).toBe(400);
    expect(await ask({ ...home, zip_code: '54650', state: 'WI' })).toBe(404);
    expect(await ask({ ...home, zip_code: '99999' })).toBe(404);
    const wrong = await team.call('POST', `${path}/availability`, { zip_code: '1', state: 'XX', access_notes: 'x'.repeat(1001) });
    expect([wrong.status, wrong.body.detail.length]).toEqual([422, 5]);
    expect((await (await harness.newCaller()).call('POST', `${path}/availability`, home)).status, 'no partner for production').toBe(404);
  });
});

describe('booking', () => {
  it('creates a confirmed appointment, updates the order, and emits events for both', async () => {
    const order = await readyOrder();
    const [slot] = await slotsOf();
    const reply = await team.call('POST', at(order.id, '/book'), { booking_key: slot?.booking_key, appointment_notes: 'Ring twice' });
    expect(reply.body).toMatchObject({
      order_id: order.id,
      user_id: order.user_id,
      order_transaction_id: order.order_transaction.id,
      status: 'confirmed',
      event_status: 'scheduled',
      provider: 'getlabs',
      type: 'phlebotomy',
      start_at: slot?.start,
      end_at: slot?.end,
      iana_timezone: 'America/Phoenix',
      can_reschedule: true,
      appointment_notes: 'Ring twice',
      address: { first_line: '1 Main St', zip_code: '85004', second_line: null },
    });
    expect(reply.body.provider_id).not.toBe('');
    expect((await team.call('GET', at(order.id))).body).toEqual(reply.body);
    expect((await lowStatuses(order.id)).slice(-2)).toEqual(['appointment_pending', 'appointment_scheduled']);
    expect(await announced(order.user_id)).toEqual(['created pending', 'updated scheduled']);
    expect((await team.call('GET', `/v3/order/${order.id}`)).body.details.data.appointment_id).toBe(reply.body.id);
  });

  it('uses up its key even if it fails; only one of two concurrent bookings succeeds', async () => {
    const [order, other] = [await readyOrder(), await readyOrder()];
    const key = await keyOf();
    const bookBoth = [order, other].map(({ id }) => team.call('POST', at(id, '/book'), { booking_key: key }));
    const replies = await Promise.all(bookBoth);
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    const again = await readyOrder();
    const twice = await Promise.all([book(again.id), book(again.id), book(again.id)]);
    expect(twice.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400]);
    const failing = await readyOrder();
    const used = await keyOf();
    const refused = await team.call('POST', at(failing.id, '/book'), { booking_key: used, appointment_notes: 'simulate:refuse' });
    expect([refused.status, refused.body.detail]).toEqual([500, 'The provider refused the booking']);
    expect((await team.call('POST', at(failing.id, '/book'), { booking_key: used })).status).toBe(400);
    expect((await book(failing.id)).status, 'with a fresh key').toBe(200);
    expect(await announced(failing.user_id)).toEqual(['created pending', 'updated cancelled', 'created pending', 'updated scheduled']);
  });

  it('rejects booking keys that are unknown, expired or issued to another team', async () => {
    const order = await readyOrder();
    const stranger = await harness.newCaller({ isSandbox: true });
    const keys = { unknown: 'abc', foreign: await keyOf(0, stranger), changed: `${await keyOf()}x`, expired: await keyOf() };
    harness.clock.advance(31 * 60_000);
    for (const [name, key] of Object.entries(keys)) {
      const { status, body } = await team.call('POST', at(order.id, '/book'), { booking_key: key });
      const detail = name === 'expired' ? 'The booking key has expired' : 'This is not a booking key of the team';
      expect([name, status, body.detail]).toEqual([name, 400, detail]);
    }
  });

  it("requires an adult's phlebotomy order with a requisition and without an appointment", async () => {
    const ordered = await placeOrder(team, 'at_home_phlebotomy');
    const walkIn = await placeOrder(team, 'walk_in_test');
    const done = await readyOrder();
    await team.call('POST', `/v3/order/${done.id}/cancel`);
    expect((await book(ordered.id)).status).toBe(400);
    expect((await book(walkIn.id)).status).toBe(404);
    expect((await book(randomUUID())).status).toBe(404);
    expect((await book(done.id)).status).toBe(400);
    const first = await readyOrder();
    await book(first.id);
    const sameUser = await readyOrder(team, { user_id: first.user_id });
    expect((await book(sameUser.id)).body.detail).toContain('for another order');
    const minors = await harness.newCaller({ isSandbox: true });
    await database.current.sql`UPDATE teams SET minor_ordering = true WHERE team_id = ${minors.team.teamId}`;
    const proxy = { first_name: 'Max', last_name: 'Stone', phone_number: '4155550100', email: 'm@example.com', address: patientAddress };
    const child = await readyOrder(minors, { patient_details: { ...patient, dob: '2020-01-01', medical_proxy: proxy } });
    expect((await book(child.id, {}, minors)).body.detail).toContain('under 18');
  });

  it('rejects timeouts that are out of range', async () => {
    const order = await readyOrder();
    const wrong = { sync_confirmation_timeout_millisecond: 999, async_confirmation_timeout_millisecond: 172_800_001 };
    const reply = await book(order.id, { async_confirmation: true, ...wrong, appointment_notes: 'x'.repeat(1001) });
    expect([reply.status, reply.body.detail.length]).toEqual([422, 3]);
    for (const [field, least, most] of [
      ['sync_confirmation_timeout_millisecond', 1000, 10_000],
      ['async_confirmation_timeout_millisecond', 60_000, 172_800_000],
    ] as const) {
      for (const value of [least - 1, most + 1, least + 0.5])
        expect((await book(order.id, { async_confirmation: true, [field]: value })).status, `${field} ${value}`).toBe(422);
      for (const value of [least, most])
        expect((await book((await readyOrder()).id, { async_confirmation: true, [field]: value })).status, `${field} ${value}`).toBe(200);
    }
  });
});

describe('requesting a visit', () => {
  it('creates a pending appointment without a time at a provider that accepts requests there', async () => {
    const order = await readyOrder();
    const request = (body: object) => team.call('POST', at(order.id, '/request'), { address: home, provider: 'phlebfinders', ...body });
    expect((await request({ provider: 'getlabs' })).status).toBe(400);
    expect((await request({ address: { ...home, zip_code: '90001', state: 'CA' } })).status).toBe(400);
    const { status, body } = await request({ appointment_notes: 'Call first' });
    const nothing = { start_at: null, end_at: null, can_reschedule: false };
    expect([status, body]).toMatchObject([
      200,
      { ...nothing, status: 'pending', event_status: 'pending', appointment_notes: 'Call first' },
    ]);
    expect((await lowStatuses(order.id)).at(-1)).toBe('appointment_pending');
  });
});

describe('rescheduling', () => {
  it('moves the appointment, and replaces its notes only if new ones are sent', async () => {
    const order = await readyOrder();
    const booked = (await book(order.id, { appointment_notes: 'Ring twice' })).body;
    const [, second, third] = await slotsOf();
    const move = (slot: Slot | undefined, notes?: string) =>
      team.call('PATCH', at(order.id, '/reschedule'), { booking_key: slot?.booking_key, ...(notes && { appointment_notes: notes }) });
    const moved = (await move(second)).body;
    expect(moved).toMatchObject({ id: booked.id, start_at: second?.start, appointment_notes: 'Ring twice', status: 'confirmed' });
    expect(moved.event_data).toMatchObject({ is_reschedule: true, origin: 'patient' });
    expect((await move(third, 'Knock')).body).toMatchObject({ start_at: third?.start, appointment_notes: 'Knock' });
    expect((await lowStatuses(order.id)).slice(-3)).toEqual(Array.from({ length: 3 }, () => 'appointment_scheduled'));
    expect((await move(second)).status, 'a used key').toBe(400);
    const refused = await move((await slotsOf())[3], 'simulate:refuse');
    expect([refused.status, (await team.call('GET', at(order.id))).body.appointment_notes]).toEqual([500, 'Knock']);
  });
});

describe('cancelling', () => {
  it("requires one of the provider's reasons, takes effect once, and allows a new appointment", async () => {
    const order = await readyOrder();
    await book(order.id);
    const reasons = (await team.call('GET', `${path}/cancellation-reasons`)).body;
    const other = reasons.find(({ name }: { name: string }) => name === 'Other');
    const cancel = (id: string) => team.call('PATCH', at(order.id, '/cancel'), { cancellation_reason_id: id, notes: 'ill' });
    expect((await cancel(randomUUID())).status).toBe(400);
    const { status, body } = await cancel(other.id);
    expect([status, body.status, body.event_status, body.can_reschedule]).toEqual([200, 'cancelled', 'cancelled', false]);
    expect((await cancel(other.id)).body).toEqual(body);
    expect((await team.call('GET', at(order.id))).status).toBe(404);
    expect((await team.call('PATCH', at(order.id, '/reschedule'), { booking_key: await keyOf() })).status).toBe(400);
    expect((await lowStatuses(order.id)).at(-1)).toBe('appointment_cancelled');
    expect(await announced(order.user_id)).toEqual(['created pending', 'updated scheduled', 'updated cancelled']);
    expect((await book(order.id)).status).toBe(200);
  });

  it('is also done when the order is cancelled', async () => {
    const order = await readyOrder();
    await book(order.id);
    expect((await team.call('POST', `/v3/order/${order.id}/cancel`)).status).toBe(200);
    expect((await team.call('GET', at(order.id))).status).toBe(404);
    expect(await announced(order.user_id)).toEqual(['created pending', 'updated scheduled', 'updated cancelled']);
    expect((await lowStatuses(order.id)).at(-1)).toBe('cancelled');
  });
});
