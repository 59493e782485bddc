import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../../api/support/harness.ts';
import { address, patient, placeOrder } from '../support/order-body.ts';

const database = useDatabase({ hasLabData: true });
let harness: ApiHarness;
let team: Caller;
let testId: string;

beforeAll(async () => {
  harness = await createApiHarness(database.current, { config: { sandboxUsersMax: 1000 } });
  team = await harness.newCaller({ isSandbox: true });
  testId = (await team.call('POST', '/v3/lab_tests', { marker_ids: [261001], name: 'Quest', method: 'walk_in_test', description: 'x' }))
    .body.id;
});
afterAll(() => harness.close());

const path = '/v3/order/psc/appointment';
type Day = {
  date: string;
  location: { code: string; iana_timezone: string; distance: number | null };
  slots: { booking_key: string; start: string }[];
};

const find = (query: string, caller = team) => caller.call('POST', `${path}/availability?lab=quest&${query}`);
const near = 'zip_code=85004&radius=50';
async function readyOrder(testOfOrder = testId) {
  const { user_id: userId } = (await team.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
  const body = { user_id: userId, order_set: { lab_test_ids: [testOfOrder] }, patient_details: patient, patient_address: address };
  const { order } = (await team.call('POST', '/v3/order', body)).body;
  await team.call('POST', `/v3/order/${order.id}/test?final_status=received.walk_in_test.requisition_created`, {});
  return order;
}
async function keyOf(index = 0): Promise<string> {
  const { body } = await find(near);
  return body.slots.flatMap(({ slots }: Day) => slots)[index].booking_key;
}
const at = (orderId: string, end = '') => `/v3/order/${orderId}/psc/appointment${end}`;
const lowStatus = async (orderId: string) => (await team.call('GET', `/v3/order/${orderId}`)).body.last_event.status.split('.')[2];

describe('slots of service centers', () => {
  it('cover 14 local days from today at the nearest or the requested centers', async () => {
    const { status, body } = await find(near);
    const days: Day[] = body.slots;
    const codes = [...new Set(days.map(({ location }) => location.code))];
    expect([status, body.timezone, codes.length <= 3, days.length]).toEqual([200, null, true, codes.length * 14]);
    const distances = days.map(({ location }) => location.distance ?? 0);
    expect(distances).toEqual(distances.toSorted((a, b) => a - b));
    for (const { date, location, slots } of days)
      for (const { start } of slots) expect(new Date(start).toLocaleDateString('en-CA', { timeZone: location.iana_timezone })).toBe(date);
    const named = await find(`site_codes=${codes[0]}&start_date=2099-01-01`);
    expect([named.body.slots.length, named.body.slots[0].date, named.body.slots[0].location.distance]).toEqual([14, '2099-01-01', null]);
  });

  it('are not returned without a location, for past days, or for unknown or too many centers', async () => {
    const statuses: Record<string, number> = {};
    for (const query of ['', 'site_codes=NONE', 'site_codes=A&site_codes=B&site_codes=C&site_codes=D', `${near}&start_date=2020-01-01`])
      statuses[query] = (await find(query)).status;
    expect([...new Set(Object.values(statuses))], JSON.stringify(statuses)).toEqual([400]);
    expect((await find('zip_code=00000')).status).toBe(404);
    expect((await team.call('POST', `${path}/availability?lab=labcorp&${near}`)).status).toBe(422);
    expect((await find(near, await harness.newCaller())).status, 'no partner for production').toBe(503);
  });

  it('sell out for the team that books them, and are free again once the appointment is cancelled', async () => {
    const { body } = await find(near);
    const slotsIn = (days: Day[]) => days.flatMap(({ location, slots }) => slots.map((slot) => ({ ...slot, code: location.code })));
    const [slot] = slotsIn(body.slots);
    const isOffered = async (caller = team) =>
      slotsIn((await find(near, caller)).body.slots).some(({ start, code }) => start === slot?.start && code === slot.code);
    const [first, second] = [await readyOrder(), await readyOrder()];
    const again = slotsIn((await find(near)).body.slots).find(({ start, code }) => start === slot?.start && code === slot.code);
    expect((await team.call('POST', at(first.id, '/book'), { booking_key: slot?.booking_key })).status).toBe(200);
    expect([await isOffered(), await isOffered(await harness.newCaller({ isSandbox: true }))]).toEqual([false, true]);
    const late = await team.call('POST', at(second.id, '/book'), { booking_key: again?.booking_key });
    expect([late.status, late.body.detail]).toEqual([400, 'The slot is no longer available. Read the available slots again']);
    const [reason] = (await team.call('GET', `${path}/cancellation-reasons`)).body;
    await team.call('PATCH', at(first.id, '/cancel'), { cancellationReasonId: reason.id });
    expect(await isOffered()).toBe(true);
  });

  it('are served from a cache of at most 15 minutes if the request allows it', async () => {
    const stored = () => database.current.sql`SELECT site_code, fetched_at FROM lab_center_slots ORDER BY site_code`;
    await find(near);
    const first = await stored();
    expect(first.length).toBeGreaterThan(0);
    harness.clock.advance(4 * 60_000);
    expect((await find(`${near}&allow_stale=true`)).status).toBe(200);
    expect(await stored()).toEqual(first);
    harness.clock.advance(2 * 60_000);
    expect((await find(`${near}&allow_stale=true`)).status).toBe(200);
    await expect.poll(stored).not.toEqual(first);
    const second = await stored();
    harness.clock.advance(16 * 60_000);
    const old = await find(`${near}&allow_stale=true`);
    expect([old.status, (await stored())[0]?.['fetched_at'] > second[0]?.['fetched_at']]).toEqual([200, true]);
    const { booking_key: key } = old.body.slots.flatMap(({ slots }: Day) => slots)[0];
    expect((await team.call('POST', at((await readyOrder()).id, '/book'), { booking_key: key })).status).toBe(200);
  });
});

describe('an appointment at a service center', () => {
  it('is booked, rescheduled and cancelled, and updates the status of the order', async () => {
    const order = await readyOrder();
    const booked = (await team.call('POST', at(order.id, '/book'), { booking_key: await keyOf() })).body;
    expect(booked).toMatchObject({
      type: 'patient_service_center',
      provider: 'quest',
      status: 'confirmed',
      external_id: expect.stringMatching(/^SIM-/),
    });
    expect(await lowStatus(order.id)).toBe('appointment_scheduled');
    const moved = await team.call('PATCH', at(order.id, '/reschedule'), { booking_key: await keyOf(5) });
    expect([moved.status, moved.body.start_at > booked.start_at]).toEqual([200, true]);
    expect((await team.call('GET', at(order.id))).body).toEqual(moved.body);
    const [reason] = (await team.call('GET', `${path}/cancellation-reasons`)).body;
    const cancel = { cancellationReasonId: reason.id, note: 'ill' };
    expect((await team.call('PATCH', at(order.id, '/cancel'), { cancellation_reason_id: reason.id })).status).toBe(422);
    expect((await team.call('PATCH', at(order.id, '/cancel'), cancel)).body.status).toBe('cancelled');
    expect([await lowStatus(order.id), (await team.call('GET', at(order.id))).status]).toEqual(['appointment_cancelled', 404]);
  });

  it('is booked once per idempotency key; repeated requests get the first response', async () => {
    const order = await readyOrder();
    const body = { booking_key: await keyOf() };
    const headers = { 'x-idempotency-key': randomUUID() };
    const first = await team.call('POST', at(order.id, '/book'), body, headers);
    const repeated = await team.call('POST', at(order.id, '/book'), body, headers);
    expect([first.status, repeated.status, repeated.body]).toEqual([200, 200, first.body]);
    expect((await team.call('POST', at(order.id, '/book'), { booking_key: await keyOf() }, headers)).status).toBe(400);
  });

  it('fails with 400 if its slot is taken; no-cache allows another attempt with the same key', async () => {
    const order = await readyOrder();
    const body = { booking_key: await keyOf(), appointment_notes: 'simulate:taken' };
    const headers = { 'x-idempotency-key': randomUUID(), 'x-idempotency-error': 'no-cache' };
    const { status, body: refused } = await team.call('POST', at(order.id, '/book'), body, headers);
    expect([status, refused.detail]).toEqual([400, 'The slot is no longer available']);
    const again = await team.call('POST', at(order.id, '/book'), { booking_key: await keyOf() }, headers);
    expect(again.status).toBe(200);
  });

  it('requires a walk-in order at the same lab and a booking key of its kind', async () => {
    const home = await placeOrder(team, 'at_home_phlebotomy');
    const { data } = (await team.call('GET', '/v3/lab_test?collection_method=walk_in_test')).body;
    const labcorpTest = data.find(({ lab }: { lab: { slug: string } }) => lab.slug === 'labcorp');
    const otherLab = await readyOrder(labcorpTest.id);
    const book = async (id: string, key?: string) =>
      (await team.call('POST', at(id, '/book'), { booking_key: key ?? (await keyOf()) })).status;
    expect([await book(home.id), await book(otherLab.id), await book(randomUUID())]).toEqual([404, 400, 404]);
    const atHome = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip_code: '85004' };
    const { slots } = (await team.call('POST', '/v3/order/phlebotomy/appointment/availability', atHome)).body;
    const { booking_key: homeKey } = slots.flatMap((day: Day) => day.slots)[0];
    expect(await book((await readyOrder()).id, homeKey)).toBe(400);
  });

  it('is kept when its order is cancelled', async () => {
    const order = await readyOrder();
    await team.call('POST', at(order.id, '/book'), { booking_key: await keyOf() });
    expect((await team.call('POST', `/v3/order/${order.id}/cancel`)).status).toBe(200);
    expect((await team.call('GET', at(order.id))).body.status).toBe('confirmed');
  });
});
