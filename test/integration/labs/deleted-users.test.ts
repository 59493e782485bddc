import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '@pulsewire/kernel';
import { createCipher } from '@pulsewire/database';
import { eraseTeamsJob, eraseUsersJob } from '@pulsewire/service-scheduler';
import { useDatabase } from '../../support/database.ts';
import { passTime } from '../../support/pass-time.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../api/support/harness.ts';
import { createLabs, createLabWorker, workAll } from './support/lab-worker.ts';
import { placeOrder } from './support/order-body.ts';
import { createPartnerStub, type Fault } from './support/partner-stub.ts';

const database = useDatabase({ hasLabData: true });
const cipher = createCipher(new Map([[1, Buffer.alloc(32, 1)]]));
const stub = createPartnerStub();
const dayMs = 86_400_000;
const home = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip_code: '85004' };
const slow = { async_confirmation: true, sync_confirmation_timeout_millisecond: 1000, async_confirmation_timeout_millisecond: 120_000 };
let harness: ApiHarness;
let team: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current, {
    config: { sandboxUsersMax: 1000 },
    overrides: { cipher, partners: [stub.maker] },
  });
});
afterAll(() => harness.close());
beforeEach(async () => {
  await database.current.sql`DELETE FROM lab_partner_jobs`;
  stub.bookings.length = stub.calls.length = stub.faults.length = 0;
  team = await harness.newCaller({ isSandbox: true });
});

const labs = () => createLabs({ database: database.current, cipher, clock: harness.clock, partners: [stub.maker] });
async function later(ms: number): Promise<void> {
  await passTime(database.current, harness.clock, ms);
  await workAll(createLabWorker(labs()));
}
const at = (orderId: string, end = '') => `/v3/order/${orderId}/phlebotomy/appointment${end}`;

async function book(faults: Fault[] = [], body: object = {}) {
  const order = await placeOrder(team, 'at_home_phlebotomy');
  await team.call('POST', `/v3/order/${order.id}/test?final_status=received.at_home_phlebotomy.requisition_created`, {});
  const { slots } = (await team.call('POST', '/v3/order/phlebotomy/appointment/availability', home)).body;
  const [key] = slots.flatMap((day: { slots: { booking_key: string }[] }) => day.slots);
  stub.faults.push(...faults);
  return { order, reply: await team.call('POST', at(order.id, '/book'), { booking_key: key.booking_key, ...body }) };
}
const remove = (userId: string) => team.call('DELETE', `/v2/user/${userId}`);
const lost = (times: number): Fault[] => Array.from({ length: times }, () => 'lost_call');

async function erase(): Promise<void> {
  const { clock } = harness;
  const context = { database: database.current, clock, logger: silentLogger, providerSlugs: [] };
  await eraseUsersJob.run(context, new AbortController().signal);
}
const count = async (table: string, where = 'true') =>
  (await database.current.sql.unsafe(`SELECT count(*)::int AS n FROM ${table} WHERE ${where}`))[0]?.['n'] as number;

describe('deleting a user', () => {
  it('cancels the open booking at the partner, and emits events for appointment and order', async () => {
    const { order } = await book();
    expect(stub.active()).toHaveLength(1);
    expect((await remove(order.user_id)).status).toBe(200);
    await later(0);
    expect(stub.active()).toEqual([]);
    const events = await database.current.sql<{ type: string; json: string }[]>`
      SELECT event_type AS type, json FROM log_events WHERE user_id = ${order.user_id} ORDER BY "offset" DESC LIMIT 3`;
    expect(events.map(({ type }) => type)).toEqual(['user.deleted', 'labtest.order.updated', 'labtest.appointment.updated']);
    expect(JSON.parse(events[2]?.json ?? '')).toMatchObject({ status: 'cancelled', event_data: { reason: 'user_deleted' } });
    expect(JSON.parse(events[1]?.json ?? '').last_event.status).toBe('collecting_sample.at_home_phlebotomy.appointment_cancelled');
  });

  it('leaves the booking cancelled even if the deletion is undone', async () => {
    const { order } = await book();
    await remove(order.user_id);
    expect((await team.call('POST', `/v2/user/undo_delete?user_id=${order.user_id}`)).status).toBe(200);
    await later(0);
    expect([(await team.call('GET', at(order.id))).status, stub.active()]).toEqual([404, []]);
    expect((await team.call('GET', `/v3/order/${order.id}`)).body.last_event.status).toMatch(/appointment_cancelled$/);
  });

  it('also cancels a booking that reaches the partner after the deletion', async () => {
    const { order, reply } = await book(['lost_call'], slow);
    expect(reply.body.status).toBe('pending');
    await remove(order.user_id);
    await later(0);
    const request = {} as never;
    stub.bookings.push({ providerId: 'late', appointmentId: reply.body.id, request, state: 'scheduled', startAt: null, endAt: null });
    await later(600_000);
    expect(stub.active()).toEqual([]);
  });
});

describe('erasing a user', () => {
  it('cancels the booking even if the partner was down from the deletion until the erasure', async () => {
    const { order } = await book();
    stub.faults.push(...lost(400));
    await remove(order.user_id);
    for (let day = 0; day < 8; day++) await later(dayMs);
    await erase();
    const ofOrder = `order_id = '${order.id}'`;
    expect([await count('lab_appointments', ofOrder), await count('lab_order_details', ofOrder), stub.active().length]).toEqual([0, 0, 1]);
    expect(await count('lab_partner_jobs', `kind <> 'release_booking' OR order_id IS NOT NULL OR appointment_id IS NOT NULL`)).toBe(0);
    await later(dayMs);
    expect(stub.active()).toHaveLength(1);
    stub.faults.length = 0;
    await later(dayMs);
    expect([stub.active(), await count('lab_partner_jobs')]).toEqual([[], 0]);
  });

  it('cancels a booking that the deletion left open', async () => {
    const { order } = await book();
    await database.current.sql`UPDATE users SET deleted_at = ${harness.clock.now().toISOString()} WHERE user_id = ${order.user_id}`;
    harness.clock.advance(8 * dayMs);
    await erase();
    await later(0);
    expect([stub.active(), await count('lab_partner_jobs')]).toEqual([[], 0]);
  });

  it('leaves the bookings of other users unchanged', async () => {
    const [first, second] = [await book(), await book()];
    await remove(first.order.user_id);
    harness.clock.advance(8 * dayMs);
    await erase();
    await workAll(createLabWorker(labs()));
    expect(stub.active().map(({ appointmentId }) => appointmentId)).toEqual([second.reply.body.id]);
  });
});

describe('deleting a team', () => {
  it('cancels the bookings of its users immediately', async () => {
    const { order } = await book();
    await database.current.sql`UPDATE teams SET deleted_at = ${harness.clock.now().toISOString()} WHERE team_id = ${team.team.teamId}`;
    await eraseTeamsJob.run({ database: database.current, clock: harness.clock, logger: silentLogger }, new AbortController().signal);
    expect(await count('lab_appointments', `order_id = '${order.id}' AND status = 'cancelled'`)).toBe(1);
    await later(0);
    expect(stub.active()).toEqual([]);
  });
});
