import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allStatuses, eraseLabsOfUser, labSealedColumns } from '@pulsewire/labs';
import { createCipher, rotateSealed } from '@pulsewire/database';
import { createApiHarness, type ApiHarness, type Caller } from '../../api/support/harness.ts';
import { useDatabase } from '../../../support/database.ts';
import { address, orderBody, patient, placeOrder } from '../support/order-body.ts';

const database = useDatabase({ hasLabData: true });
const oldKey = Buffer.alloc(32, 1);
let harness: ApiHarness;
let team: Caller;

beforeAll(async () => {
  const cipher = createCipher(new Map([[1, oldKey]]));
  harness = await createApiHarness(database.current, { config: { sandboxUsersMax: 1000 }, overrides: { cipher } });
  team = await harness.newCaller({ isSandbox: true });
});
afterAll(() => harness.close());

const simulate = (orderId: string, query = '', body: object = {}) => team.call('POST', `/v3/order/${orderId}/test${query}`, body);
const read = async (orderId: string) => (await team.call('GET', `/v3/order/${orderId}`)).body;
const statusesOf = (order: { events: { status: string }[] }) => order.events.map(({ status }) => status.split('.')[2]);
const announced = async (userId: string) =>
  (
    await database.current.sql<{ json: string }[]>`
      SELECT json FROM log_events WHERE user_id = ${userId} AND event_type = 'labtest.order.updated' ORDER BY "offset"`
  ).map(({ json }) => JSON.parse(json).last_event.status.split('.')[2] as string);

describe('a simulated order', () => {
  // Imports and registered kits start in other statuses, which the test of the state machine covers.
  const elsewhere = /requisition_bypassed|awaiting_registration|registered/;
  it.each(allStatuses.filter((status) => !elsewhere.test(status)))('can be moved to %s', async (status) => {
    const order = await placeOrder(team, status.split('.')[1]);
    expect([(await simulate(order.id, `?final_status=${status}`)).status, (await read(order.id)).last_event.status]).toEqual([200, status]);
  });

  it('runs to completion with one event per status, except for partial results', async () => {
    const order = await placeOrder(team, 'testkit');
    const reply = await simulate(order.id, '', { interpretation: 'critical', has_missing_results: true });
    expect([reply.status, reply.body]).toEqual([200, 'Success']);
    const done = await read(order.id);
    expect(statusesOf(done)).toEqual(
      'ordered requisition_created transit_customer out_for_delivery with_customer transit_lab delivered_to_lab completed'.split(' '),
    );
    expect(await announced(order.user_id)).toEqual(statusesOf(done).slice(1));
    expect(done).toMatchObject({
      interpretation: 'critical',
      has_missing_results: true,
      sample_id: expect.stringMatching(/^SIM-/),
      status: 'completed',
    });
    expect(done.expected_result_by_date < done.worst_case_result_by_date).toBe(true);
    const partial = await placeOrder(team, 'walk_in_test');
    await simulate(partial.id, '?final_status=sample_with_lab.walk_in_test.partial_results');
    expect(await announced(partial.user_id)).toEqual(['requisition_created']);
  });

  it('is rejected for unreachable statuses, production teams and other teams', async () => {
    const order = await placeOrder(team, 'walk_in_test');
    await simulate(order.id);
    expect((await simulate(order.id, '?final_status=received.walk_in_test.ordered')).status).toBe(400);
    expect((await simulate(order.id, '?final_status=sample_with_lab.testkit.delivered_to_lab')).status).toBe(400);
    expect((await simulate(order.id, '?final_status=nothing')).status).toBe(422);
    expect((await simulate(randomUUID())).status).toBe(404);
    const [production, other] = [await harness.newCaller(), await harness.newCaller({ isSandbox: true })];
    expect((await production.call('POST', `/v3/order/${order.id}/test`, {})).status).toBe(400);
    expect((await other.call('POST', `/v3/order/${order.id}/test`, {})).status).toBe(404);
  });
});

describe('cancelling', () => {
  it('is possible until the sample is in transit, and is then rejected', async () => {
    const cancel = (orderId: string) => team.call('POST', `/v3/order/${orderId}/cancel`);
    for (const low of ['received.testkit.ordered', 'received.testkit.requisition_created']) {
      const order = await placeOrder(team, 'testkit');
      await simulate(order.id, `?final_status=${low}`);
      expect((await cancel(order.id)).body.order).toMatchObject({ status: 'cancelled', order_transaction: { status: 'cancelled' } });
    }
    const sent = await placeOrder(team, 'testkit');
    await simulate(sent.id, '?final_status=collecting_sample.testkit.transit_customer');
    const { status, body } = await cancel(sent.id);
    expect([status, body.detail]).toEqual([400, 'The transition from transit_customer to cancelled is not allowed']);
    expect((await cancel(randomUUID())).status).toBe(404);
  });

  it('takes effect once for many concurrent requests', async () => {
    const order = await placeOrder(team);
    const replies = await Promise.all(Array.from({ length: 8 }, () => team.call('POST', `/v3/order/${order.id}/cancel`)));
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
    expect(await announced(order.user_id)).toEqual(['cancelled']);
  });
});

describe('the day of a scheduled order', () => {
  it('can be changed or removed (null) while the order waits, but not set in the past', async () => {
    const patch = async (orderId: string, day: string | null) => team.call('PATCH', `/v3/order/${orderId}`, { activate_by: day });
    const scheduled = await placeOrder(team, 'walk_in_test', { activate_by: '2099-01-01' });
    expect((await patch(scheduled.id, '2099-02-01')).body.order.activate_by).toBe('2099-02-01');
    expect((await patch(scheduled.id, '2020-02-01')).status).toBe(400);
    expect((await patch(scheduled.id, null)).body.order.activate_by).toBeNull();
    await simulate(scheduled.id);
    expect((await patch(scheduled.id, '2099-01-01')).status).toBe(400);
    expect((await patch((await placeOrder(team)).id, '2099-01-01')).status).toBe(400);
    expect((await team.call('PATCH', `/v3/order/${scheduled.id}`, {})).status).toBe(422);
  });
});

describe('a list of orders', () => {
  it('can be filtered by every field, and is paged with the newest first', async () => {
    const caller = await harness.newCaller({ isSandbox: true });
    const place = async (first: string, method: string, changes: object = {}) => {
      harness.clock.advance(1000);
      return placeOrder(caller, method, { patient_details: { ...patient, first_name: first }, ...changes });
    };
    const [ann, bob] = [await place('Anna', 'walk_in_test'), await place('Bob', 'testkit', { activate_by: '2099-01-01' })];
    const eve = await place('Eve', 'walk_in_test', {
      patient_details: { ...patient, first_name: 'Eve', last_name: 'Zed', dob: '1980-05-06' },
    });
    await caller.call('POST', `/v3/order/${ann.id}/test`, { interpretation: 'critical' });
    const list = async (query: string) => {
      const { status, body } = await caller.call('GET', `/v3/orders?${query}`);
      expect(status).toBe(200);
      return body.orders.map(({ id }: { id: string }) => (id === ann.id ? 'ann' : id === bob.id ? 'bob' : 'eve')).join();
    };
    const today = harness.clock.now().toISOString().slice(0, 10);
    const cases = {
      '': 'eve,bob,ann',
      'order_key=created_at&order_direction=asc': 'ann,bob,eve',
      'order_key=patient_name': 'ann,bob,eve',
      'order_key=patient_name&order_direction=desc&size=1': 'eve',
      'order_key=last_status': 'ann,bob,eve',
      'size=1&page=2': 'bob',
      'status=completed&status=lost': 'ann',
      'status=lost': '',
      'status=completed.walk_in_test.completed': 'ann',
      'order_type=testkit': 'bob',
      'is_critical=true': 'ann',
      'is_critical=false': 'eve,bob',
      'interpretation=critical': 'ann',
      'order_activation_types=scheduled': 'bob',
      'order_activation_types=current': 'eve,ann',
      'order_activation_types=current&order_activation_types=scheduled': 'eve,bob,ann',
      'patient_name=an': 'ann',
      "patient_name=o'hara bo": 'bob',
      'patient_name=nna': '',
      'search_input=zed': 'eve',
      'search_input=1980-05-06': 'eve',
      'shipping_recipient_name=anna': '',
      [`search_input=${bob.id}`]: 'bob',
      [`search_input=${ann.user_id}`]: 'ann',
      [`user_id=${ann.user_id}`]: 'ann',
      [`order_ids=${ann.id}&order_ids=${eve.id}`]: 'eve,ann',
      [`order_transaction_id=${bob.order_transaction.id}`]: 'bob',
      [`start_date=${today}&end_date=${today}`]: 'eve,bob,ann',
      'end_date=2020-01-01': '',
      [`updated_start_date=${today}T00:00:00Z&updated_end_date=${today}`]: 'eve,bob,ann',
    };
    const found: Record<string, string> = {};
    for (const query of Object.keys(cases)) found[query] = await list(query);
    expect(found).toEqual(cases);
    expect((await caller.call('GET', '/v3/orders?size=1')).body).toMatchObject({ total: 3, page: 1, size: 1 });
    expect((await caller.call('GET', `/v3/orders?user_id=${randomUUID()}`)).status).toBe(404);
    expect((await caller.call('GET', '/v3/orders?status=nothing')).status).toBe(422);
    expect((await team.call('GET', `/v3/orders?order_ids=${ann.id}`)).body.total).toBe(0);
  });
});

describe('resent events', () => {
  it("cover the requested orders or those changed in the window, and only the team's own", async () => {
    const order = await placeOrder(team);
    const foreign = await placeOrder(await harness.newCaller({ isSandbox: true }));
    const resend = (body: object) => team.call('POST', '/v3/order/resend_events', body);
    expect((await resend({ order_ids: [order.id, foreign.id] })).body).toEqual({ order_ids: [order.id] });
    expect(await announced(order.user_id)).toEqual(['ordered']);
    expect(await announced(foreign.user_id)).toEqual([]);
    const start = new Date(Date.parse(order.updated_at) - 1).toISOString();
    expect((await resend({ start_at: start })).body.order_ids).toContain(order.id);
    expect((await resend({})).status).toBe(422);
    expect((await resend({ start_at: '2020-01-01T00:00:00Z' })).status).toBe(400);
  });
});

describe('an order transaction', () => {
  it('contains the order and its replacements, and ends when they do', async () => {
    const body = await orderBody(team);
    const parent = (await team.call('POST', '/v3/order', body)).body.order;
    harness.clock.advance(1);
    const child = (await team.call('POST', '/v3/order', { ...body, parent_order_id: parent.id })).body.order;
    const url = `/v3/order_transaction/${parent.order_transaction.id}`;
    expect((await team.call('GET', url)).body).toMatchObject({
      status: 'active',
      orders: [
        { id: parent.id, origin: 'initial', parent_id: null, last_status: 'ordered' },
        { id: child.id, origin: 'recreation', parent_id: parent.id },
      ],
    });
    await team.call('POST', `/v3/order/${parent.id}/cancel`);
    await simulate(child.id);
    expect((await team.call('GET', url)).body.status).toBe('completed');
    expect((await team.call('GET', `/v3/order_transaction/${randomUUID()}`)).status).toBe(404);
    expect((await (await harness.newCaller()).call('GET', url)).status).toBe(404);
  });
});

describe('the service centers of an order', () => {
  it("are its lab's centers near its address", async () => {
    const order = await placeOrder(team, 'walk_in_test', { patient_address: { ...address, zip: '10001-1234', state: 'NY' } });
    const { status, body } = await team.call('GET', `/v3/order/${order.id}/psc/info?radius=100`);
    expect([status, body.slug, body.patient_service_centers.length > 0]).toEqual([200, 'labcorp', true]);
  });
});

describe('personal data of an order', () => {
  it('remains readable after the keys are rotated', async () => {
    const order = await placeOrder(team);
    const rotated = createCipher(
      new Map([
        [1, oldKey],
        [2, Buffer.alloc(32, 2)],
      ]),
    );
    for (const column of labSealedColumns) expect((await rotateSealed(database.current, rotated, column)).unreadable).toBe(0);
    const onlyNew = createCipher(new Map([[2, Buffer.alloc(32, 2)]]));
    const later = await createApiHarness(database.current, { overrides: { cipher: onlyNew } });
    const reply = await later.api.app.inject({ url: `/v3/order/${order.id}`, headers: { 'x-service-api-key': team.key } });
    expect(reply.json()).toEqual(order);
    await later.close();
    const back = createCipher(
      new Map([
        [1, oldKey],
        [2, Buffer.alloc(32, 2)],
      ]),
      1,
    );
    for (const column of labSealedColumns) await rotateSealed(database.current, back, column);
  });

  it('is erased with the user, leaving nothing that identifies the person', async () => {
    const body = await orderBody(team);
    const { order } = (await team.call('POST', '/v3/order', body, { 'x-idempotency-key': randomUUID() })).body;
    await simulate(order.id);
    await database.current.transaction((tx) =>
      eraseLabsOfUser(tx, { teamId: team.team.teamId, userId: order.user_id }, harness.clock.now()),
    );
    expect((await team.call('GET', `/v3/order/${order.id}`)).status).toBe(404);
    expect((await team.call('GET', `/v3/orders?order_ids=${order.id}`)).body.total).toBe(0);
    const tables = await database.current.sql<{ name: string }[]>`
      SELECT table_name AS name FROM information_schema.columns
      WHERE table_schema = 'public' AND column_name = 'user_id' AND table_name LIKE 'lab\_%'`;
    for (const { name } of tables) {
      const [row] = await database.current.sql<{ n: number }[]>`
        SELECT count(*)::int AS n FROM ${database.current.sql(name)} WHERE user_id = ${order.user_id}`;
      expect([name, row?.n]).toEqual([name, 0]);
    }
    const [kept] = await database.current.sql`SELECT * FROM lab_orders WHERE order_id = ${order.id}`;
    expect(kept).toMatchObject({
      user_id: null,
      sample_id: null,
      interpretation: null,
      name_hashes: [],
      status: 'completed.walk_in_test.completed',
    });
    const [details] = await database.current.sql`SELECT 1 FROM lab_order_details WHERE order_id = ${order.id}`;
    expect(details).toBeUndefined();
  });
});
