import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCipher } from '@pulsewire/database';
import { allJobKinds, type JobKind } from '@pulsewire/labs';
import { useDatabase } from '../../../support/database.ts';
import { passTime } from '../../../support/pass-time.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../../api/support/harness.ts';
import { createLabs, createLabWorker, workAll } from '../support/lab-worker.ts';
import { placeOrder } from '../support/order-body.ts';
import { createPartnerStub, type Fault } from '../support/partner-stub.ts';

const database = useDatabase({ hasLabData: true });
const cipher = createCipher(new Map([[1, Buffer.alloc(32, 1)]]));
const stub = createPartnerStub();
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
async function keyOf(): Promise<string> {
  const { body } = await team.call('POST', '/v3/order/phlebotomy/appointment/availability', home);
  return body.slots.flatMap(({ slots }: { slots: { booking_key: string }[] }) => slots)[0].booking_key;
}
async function book(faults: Fault[], body: object = {}) {
  const order = await readyOrder();
  stub.faults.push(...faults);
  return { order, reply: await team.call('POST', at(order.id, '/book'), { booking_key: await keyOf(), ...body }) };
}
const read = async (orderId: string) => (await team.call('GET', at(orderId))).body;

describe('a booking attempt that reaches the partner after a later one was confirmed', () => {
  const lateDuplicate = (appointmentId: string) => {
    const [known] = stub.bookings;
    stub.bookings.push({ ...known, providerId: randomUUID(), appointmentId, state: 'scheduled' } as (typeof stub.bookings)[number]);
  };

  it('leaves only the confirmed booking', async () => {
    const { order, reply } = await book(['lost_call'], slow);
    await later(2000);
    const { provider_id: kept } = await read(order.id);
    lateDuplicate(reply.body.id);
    await later(600_000);
    expect(stub.active().map(({ providerId }) => providerId)).toEqual([kept]);
    expect(await read(order.id)).toMatchObject({ status: 'confirmed', provider_id: kept });
  });

  it('leaves no booking if the appointment was cancelled or its user deleted in the meantime', async () => {
    for (const path of ['appointment', 'user']) {
      const { order, reply } = await book(['lost_call'], slow);
      await later(2000);
      if (path === 'user') await team.call('DELETE', `/v2/user/${order.user_id}`);
      else await team.call('PATCH', at(order.id, '/cancel'), { cancellation_reason_id: reasonId });
      await later(0);
      lateDuplicate(reply.body.id);
      await later(600_000);
      expect(stub.active(), path).toEqual([]);
    }
  });

  it('is cancelled with all other bookings if the appointment was never confirmed', async () => {
    const { order, reply } = await book(['lost_call'], slow);
    await team.call('PATCH', at(order.id, '/cancel'), { cancellation_reason_id: reasonId });
    lateDuplicate(reply.body.id);
    await later(0);
    lateDuplicate(reply.body.id);
    await later(600_000);
    expect(stub.active()).toEqual([]);
  });
});

describe('a confirmation', () => {
  it('that arrives during a cancellation does not revive the appointment', async () => {
    const { order } = await book(['unconfirmed'], slow);
    stub.confirm();
    const cancelling = allJobKinds.map((kind) => ({
      ...kind,
      async attempt(...call: Parameters<JobKind['attempt']>) {
        const outcome = await kind.attempt(...call);
        if (kind.kind === 'book_appointment')
          expect((await team.call('PATCH', at(order.id, '/cancel'), { cancellation_reason_id: reasonId })).status).toBe(200);
        return outcome;
      },
    }));
    await passTime(database.current, harness.clock, 2000);
    await workAll(worker(cancelling));
    await later(60_000);
    const events = await database.current.sql<{ status: string }[]>`
      SELECT e.status FROM lab_appointment_events e JOIN lab_appointments USING (appointment_id) WHERE order_id = ${order.id} ORDER BY event_id`;
    expect(events.map(({ status }) => status)).toEqual(['pending', 'cancelled']);
    expect(stub.active()).toEqual([]);
  });
});
