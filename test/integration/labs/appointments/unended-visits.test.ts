import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCipher } from '@pulsewire/database';
import { useDatabase } from '../../../support/database.ts';
import { passTime } from '../../../support/pass-time.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../../api/support/harness.ts';
import { createLabs, createLabWorker, workAll } from '../support/lab-worker.ts';
import { placeOrder } from '../support/order-body.ts';
import { createPartnerStub } from '../support/partner-stub.ts';

const database = useDatabase({ hasLabData: true });
const cipher = createCipher(new Map([[1, Buffer.alloc(32, 1)]]));
const stub = createPartnerStub();
const home = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip_code: '85004' };
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
async function later(ms: number): Promise<void> {
  await passTime(database.current, harness.clock, ms);
  await workAll(createLabWorker(labs()));
}

async function readyOrder() {
  const order = await placeOrder(team, 'at_home_phlebotomy');
  await team.call('POST', `/v3/order/${order.id}/test?final_status=received.at_home_phlebotomy.requisition_created`, {});
  return order;
}
const at = (orderId: string, end = '') => `/v3/order/${orderId}/phlebotomy/appointment${end}`;
async function keyOf(): Promise<string> {
  const { body } = await team.call('POST', '/v3/order/phlebotomy/appointment/availability', home);
  return body.slots.flatMap(({ slots }: { slots: { booking_key: string }[] }) => slots)[0].booking_key;
}
async function book() {
  const order = await readyOrder();
  return { order, reply: await team.call('POST', at(order.id, '/book'), { booking_key: await keyOf() }) };
}
const read = async (orderId: string) => (await team.call('GET', at(orderId))).body;

describe('an appointment whose end the partner never reports', () => {
  const dayMs = 86_400_000;
  const statuses = async (orderId: string) =>
    (await team.call('GET', `/v3/order/${orderId}`)).body.events.map((event: { status: string }) => event.status.split('.')[2]);

  it.each([false, true])('expires a week after the visit, so that the patient can book again (partner down: %s)', async (isDown) => {
    const { order, reply } = await book();
    expect(reply.body.status).toBe('confirmed');
    const [booking] = stub.bookings;
    Object.assign(booking ?? {}, { state: 'in_progress' });
    const start = Date.parse(reply.body.start_at);
    await later(start + 3_600_000 - harness.clock.now().getTime());
    expect((await read(order.id)).status).toBe('in_progress');
    await later(6 * dayMs);
    expect((await read(order.id)).status).toBe('in_progress');
    stub.isDown = isDown;
    await later(2 * dayMs);
    await later(3_600_000);
    stub.isDown = false;
    expect((await team.call('GET', at(order.id))).status).toBe(404);
    expect((await statuses(order.id)).at(-1)).toBe('appointment_cancelled');
    const events = await database.current.sql<{ data: { reason?: string } }[]>`
      SELECT e.data FROM lab_appointment_events e JOIN lab_appointments a USING (appointment_id) WHERE a.order_id = ${order.id} ORDER BY e.event_id DESC LIMIT 1`;
    expect(events[0]?.data).toEqual({ reason: 'expired' });
    expect((await team.call('POST', at(order.id, '/book'), { booking_key: await keyOf() })).body.status).toBe('confirmed');
  });

  it('expires after 60 days if a requested visit never gets a time', async () => {
    await database.current.sql`
      UPDATE phlebotomy_areas SET tiers = ARRAY['appointment-ready', 'appointment-request'] WHERE provider = 'getlabs'`;
    const order = await readyOrder();
    const asked = await team.call('POST', at(order.id, '/request'), { address: home, provider: 'getlabs' });
    expect([asked.status, asked.body.start_at]).toEqual([200, null]);
    await later(59 * dayMs);
    expect((await read(order.id)).status).toBe('pending');
    await later(2 * dayMs);
    await later(3_600_000);
    expect([(await team.call('GET', at(order.id))).status, stub.active()]).toEqual([404, []]);
  });
});
