import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { updateTeam } from '@pulsewire/connections';
import { createCipher } from '@pulsewire/database';
import { useDatabase } from '../../../support/database.ts';
import { passTime } from '../../../support/pass-time.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../../api/support/harness.ts';
import { createLabs, createLabWorker, workAll } from '../support/lab-worker.ts';
import { placeOrder } from '../support/order-body.ts';
import { createPartnerStub } from '../support/partner-stub.ts';

const database = useDatabase({ hasLabData: true });
const cipher = createCipher(new Map([[1, Buffer.alloc(32, 3)]]));
const stub = createPartnerStub();
const hourMs = 3_600_000;
let harness: ApiHarness;
let team: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current, {
    config: { sandboxUsersMax: 1000 },
    overrides: { cipher, partners: [stub.maker] },
  });
  team = await harness.newCaller({ isSandbox: true });
  await updateTeam(database.current, team.team.teamId, { bookingBeforeRequisition: true });
});
afterAll(() => harness.close());
beforeEach(async () => {
  await database.current.sql`DELETE FROM lab_partner_jobs`;
  stub.bookings.length = stub.faults.length = 0;
});

const home = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip_code: '85004' };
const at = (orderId: string, end = '') => `/v3/order/${orderId}/phlebotomy/appointment${end}`;
async function later(ms: number): Promise<void> {
  await passTime(database.current, harness.clock, ms);
  await workAll(createLabWorker(createLabs({ database: database.current, cipher, clock: harness.clock, partners: [stub.maker] })));
}
async function bookEarly(changes: object = {}) {
  const order = await placeOrder(team, 'at_home_phlebotomy', changes);
  const { body } = await team.call('POST', '/v3/order/phlebotomy/appointment/availability', home);
  const [slot] = body.slots.flatMap(({ slots }: { slots: { booking_key: string; start: string }[] }) => slots);
  return { order, slot, reply: await team.call('POST', at(order.id, '/book'), { booking_key: slot.booking_key }) };
}
const statuses = async (orderId: string) =>
  (await team.call('GET', `/v3/order/${orderId}`)).body.events.map(({ status }: { status: string }) => status.split('.')[2]);
const requisition = (orderId: string) =>
  team.call('POST', `/v3/order/${orderId}/test?final_status=received.at_home_phlebotomy.requisition_created`, {});

describe('an appointment made before the requisition exists', () => {
  it('is reserved without changing the order, and confirmed once the requisition exists', async () => {
    const { order, reply } = await bookEarly();
    expect([reply.status, reply.body.status, reply.body.event_status]).toEqual([200, 'reserved', 'reserved']);
    expect(await statuses(order.id)).toEqual(['ordered']);
    await later(hourMs);
    expect((await team.call('GET', at(order.id))).body.status).toBe('reserved');
    await requisition(order.id);
    await later(0);
    expect((await team.call('GET', at(order.id))).body.events.map(({ status }: { status: string }) => status)).toEqual([
      'pending',
      'reserved',
      'scheduled',
    ]);
    expect(await statuses(order.id)).toEqual(['ordered', 'requisition_created', 'appointment_pending', 'appointment_scheduled']);
    await later(9 * hourMs);
    expect((await team.call('GET', at(order.id))).body.status).toBe('confirmed');
  });

  it('is cancelled here and at the partner if the order is not scheduled within eight hours', async () => {
    const { order } = await bookEarly();
    const scheduled = await bookEarly({ activate_by: '2099-01-01' });
    await later(8 * hourMs - 60_000);
    expect((await team.call('GET', at(order.id))).status).toBe(200);
    await later(60_000);
    expect([(await team.call('GET', at(order.id))).status, stub.active().length]).toEqual([404, 1]);
    expect(await statuses(order.id)).toEqual(['ordered']);
    expect((await team.call('GET', at(scheduled.order.id))).body.status).toBe('reserved');
    const untilMs = Date.parse(scheduled.slot.start) - 2 * hourMs - harness.clock.now().getTime();
    await later(untilMs - 1000);
    expect((await team.call('GET', at(scheduled.order.id))).status).toBe(200);
    await later(1000);
    expect([(await team.call('GET', at(scheduled.order.id))).status, stub.active()]).toEqual([404, []]);
  });

  it('is cancelled on time even if the partner is unreachable', async () => {
    const { order } = await bookEarly();
    stub.isDown = true;
    for (let hours = 0; hours < 8; hours++) await later(hourMs);
    stub.isDown = false;
    expect([(await team.call('GET', at(order.id))).status, stub.active()]).toEqual([404, []]);
  });

  it('is rejected for teams without permission', async () => {
    const other = await harness.newCaller({ isSandbox: true });
    const order = await placeOrder(other, 'at_home_phlebotomy');
    const { body } = await other.call('POST', '/v3/order/phlebotomy/appointment/availability', home);
    const [slot] = body.slots.flatMap(({ slots }: { slots: { booking_key: string }[] }) => slots);
    expect((await other.call('POST', at(order.id, '/book'), { booking_key: slot.booking_key })).status).toBe(400);
  });
});
