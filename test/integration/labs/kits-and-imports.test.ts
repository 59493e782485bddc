import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCipher } from '@pulsewire/database';
import { createLabAccount } from '@pulsewire/labs';
import { createApiHarness, type ApiHarness, type Caller } from '../api/support/harness.ts';
import { useDatabase } from '../../support/database.ts';
import { address, orderBody, patient, placeOrder } from './support/order-body.ts';

const database = useDatabase({ hasLabData: true });
let harness: ApiHarness;
let team: Caller;

beforeAll(async () => {
  const cipher = createCipher(new Map([[1, Buffer.alloc(32, 1)]]));
  harness = await createApiHarness(database.current, { config: { sandboxUsersMax: 1000 }, overrides: { cipher } });
  team = await harness.newCaller({ isSandbox: true });
});
afterAll(() => harness.close());

const shipping = {
  receiver_name: 'Ben Receiver',
  first_line: '1 Main St',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
  phone_number: '+14155550100',
};
const newUser = async (caller = team): Promise<string> =>
  (await caller.call('POST', '/v2/user', { client_user_id: randomUUID() })).body.user_id;
const statusesOf = (order: { events: { status: string }[] }) => order.events.map(({ status }) => status.split('.')[2]);
const announced = async (orderId: string) =>
  (
    await database.current.sql<{ type: string; json: string }[]>`
      SELECT event_type AS type, json FROM log_events WHERE event_type LIKE 'labtest.order.%' AND json LIKE ${`%"id":"${orderId}"%`} ORDER BY "offset"`
  ).map(({ type, json }) => [type.split('.')[2], JSON.parse(json).last_event.status.split('.')[2]]);

describe('a test kit without a patient', () => {
  const kitBody = async (changes: object = {}, caller = team) => {
    const { data } = (await caller.call('GET', '/v3/lab_test?collection_method=testkit')).body;
    return { user_id: await newUser(caller), lab_test_id: data[0].id, shipping_details: shipping, ...changes };
  };
  const orderKit = async (changes: object = {}, headers = {}) => team.call('POST', '/v3/order/testkit', await kitBody(changes), headers);
  const register = (body: object, caller = team) =>
    caller.call('POST', '/v3/order/testkit/register', { patient_details: patient, patient_address: address, ...body });

  it('waits for its registration to a patient, and is then tested', async () => {
    const { status, body } = await orderKit({ passthrough: 'ours' });
    expect(status).toBe(200);
    const { order } = body;
    expect(order).toMatchObject({ patient_details: null, patient_address: null, passthrough: 'ours', sample_id: expect.any(String) });
    expect(order.shipping_details).toEqual({ ...shipping, second_line: null });
    expect(statusesOf(order)).toEqual(['ordered', 'awaiting_registration']);
    expect(await announced(order.id)).toEqual([
      ['created', 'ordered'],
      ['updated', 'awaiting_registration'],
    ]);
    expect((await team.call('GET', '/v3/orders?shipping_recipient_name=ben%20rec')).body.orders[0].id).toBe(order.id);
    const user = await newUser();
    const registered = await register({ sample_id: order.sample_id, user_id: user });
    expect([registered.status, registered.body.order]).toMatchObject([
      200,
      { id: order.id, user_id: user, patient_details: { first_name: 'Ann' } },
    ]);
    expect((await team.call('GET', `/v3/orders?user_id=${user}&patient_name=ann`)).body.total).toBe(1);
    const again = await register({ sample_id: order.sample_id });
    expect([again.status, again.body.detail]).toEqual([400, 'The transition from registered to registered is not allowed']);
    expect((await team.call('POST', `/v3/order/${order.id}/test`, {})).status).toBe(200);
    const done = (await team.call('GET', `/v3/order/${order.id}`)).body;
    expect(statusesOf(done).slice(-4)).toEqual(['requisition_created', 'transit_lab', 'delivered_to_lab', 'completed']);
    const results = (await team.call('GET', `/v3/order/${order.id}/result`)).body;
    expect(results.metadata).toMatchObject({ patient: "Ann O'Hara", specimen_number: order.sample_id });
  });

  it('cannot be registered by another team, for another team or without a valid patient', async () => {
    const { order } = (await orderKit()).body;
    const other = await harness.newCaller({ isSandbox: true });
    const { sample_id } = order;
    expect((await register({ sample_id }, other)).status).toBe(404);
    expect((await register({ sample_id: 'nothing' })).status).toBe(404);
    expect((await register({ sample_id, user_id: await newUser(other) })).status).toBe(404);
    expect((await register({ sample_id, patient_details: { ...patient, dob: '2020-01-01' } })).status).toBe(400);
    expect((await register({ sample_id, patient_details: { ...patient, first_name: '' } })).status).toBe(422);
    expect((await placeOrder(team, 'testkit')).status).toBe('received');
    expect(statusesOf((await team.call('GET', `/v3/order/${order.id}`)).body)).toEqual(['ordered', 'awaiting_registration']);
  });

  it('is rejected for other tests, unknown ids and invalid addresses; a key orders only once', async () => {
    const { data } = (await team.call('GET', '/v3/lab_test?collection_method=walk_in_test')).body;
    expect((await orderKit({ lab_test_id: data[0].id })).status).toBe(400);
    expect((await orderKit({ lab_test_id: randomUUID() })).status).toBe(400);
    expect((await orderKit({ user_id: randomUUID() })).status).toBe(404);
    expect((await orderKit({ shipping_details: { ...shipping, zip: '1', state: 'XX' } })).body.detail).toHaveLength(2);
    const [body, headers] = [await kitBody(), { 'x-idempotency-key': randomUUID() }];
    const [first, second] = [
      await team.call('POST', '/v3/order/testkit', body, headers),
      await team.call('POST', '/v3/order/testkit', body, headers),
    ];
    expect(second.body).toEqual(first.body);
  });
});

describe('an imported order', () => {
  const importOrder = async (changes: object = {}) => {
    const { patient_address: _, ...body } = await orderBody(team, 'walk_in_test');
    return team.call('POST', '/v3/order/import', {
      ...body,
      collection_method: 'walk_in_test',
      billing_type: 'client_bill',
      patient_address: { ...address, receiver_name: 'Ann', zip: 'unknown', state: 'Arizona' },
      sample_id: randomUUID(),
      ...changes,
    });
  };

  it('starts with the requisition bypassed, has no requisition document, and receives results', async () => {
    const sampleId = `LAB-${randomUUID()}`;
    const { status, body } = await importOrder({ sample_id: sampleId });
    expect(status).toBe(200);
    expect(statusesOf(body.order)).toEqual(['ordered', 'requisition_bypassed']);
    expect(body.order).toMatchObject({ sample_id: sampleId, patient_address: { zip: 'unknown' } });
    expect(await announced(body.order.id)).toEqual([
      ['created', 'ordered'],
      ['updated', 'requisition_bypassed'],
    ]);
    expect((await team.call('GET', `/v3/order/${body.order.id}/requisition/pdf`)).status).toBe(404);
    await team.call('POST', `/v3/order/${body.order.id}/test`, {});
    expect((await team.call('GET', `/v3/order/${body.order.id}/result/metadata`)).body.specimen_number).toBe(sampleId);
    expect((await importOrder({ sample_id: sampleId })).status).toBe(400);
    expect((await importOrder({ sample_id: '', billing_type: 'cash' })).body.detail).toHaveLength(2);
  });

  it.each(['walk_in_test', 'at_home_phlebotomy', 'testkit', 'on_site_collection'])(
    'of the method %s starts with a bypassed requisition and can be completed',
    async (method) => {
      const { order_set: orderSet, user_id: userId } = await orderBody(team, method);
      const { status, body } = await importOrder({ order_set: orderSet, user_id: userId, collection_method: method });
      expect([status, body.order?.last_event.status]).toEqual([200, `received.${method}.requisition_bypassed`]);
      await team.call('POST', `/v3/order/${body.order.id}/test`, {});
      const { events } = (await team.call('GET', `/v3/order/${body.order.id}`)).body;
      expect(events.at(-1).status).toBe(`completed.${method}.completed`);
    },
  );

  it('may use a pending lab account, unlike other orders', async () => {
    const account = { labId: 27, delegatedFlow: 'not_delegated', providerAccountId: '1', teamIds: [team.team.teamId] };
    const allowedBilling = { client_bill: ['AZ', 'Arizona'] };
    const pending = await createLabAccount(database.current, harness.clock, { ...account, status: 'pending', allowedBilling });
    const suspended = await createLabAccount(database.current, harness.clock, { ...account, status: 'suspended', allowedBilling });
    expect((await importOrder({ lab_account_id: pending })).status).toBe(200);
    expect((await importOrder({ lab_account_id: suspended })).status).toBe(400);
    const ordinary = await orderBody(team, 'walk_in_test', { lab_account_id: pending });
    expect((await team.call('POST', '/v3/order', ordinary)).status).toBe(400);
    await database.current.sql`DELETE FROM lab_account_teams WHERE team_id = ${team.team.teamId}`;
  });
});

describe('an on-site order', () => {
  it('accepts the collection of its sample once; other orders do not have this step', async () => {
    const complete = (orderId: string) => team.call('PATCH', `/v3/order/${orderId}/draw_completed`);
    const order = await placeOrder(team, 'on_site_collection');
    expect((await complete(order.id)).status).toBe(400);
    await team.call('POST', `/v3/order/${order.id}/test?final_status=received.on_site_collection.requisition_created`, {});
    const { status, body } = await complete(order.id);
    expect([status, body.order.last_event.status]).toEqual([200, 'sample_with_lab.on_site_collection.draw_completed']);
    expect(body.order.expected_result_by_date).toEqual(expect.any(String));
    expect((await complete(order.id)).status).toBe(400);
    expect((await complete((await placeOrder(team, 'walk_in_test')).id)).status).toBe(400);
    expect((await complete(randomUUID())).status).toBe(404);
  });
});

describe('communication settings', () => {
  it('are enabled until they are disabled', async () => {
    const order = await placeOrder(team);
    const path = `/v3/order/${order.id}/communication_settings`;
    expect((await team.call('GET', path)).body).toEqual({ order_id: order.id, sms_enabled: true });
    expect((await team.call('PATCH', path, { sms_enabled: false })).body).toEqual({ order_id: order.id, sms_enabled: false });
    expect((await team.call('GET', path)).body.sms_enabled).toBe(false);
    expect((await team.call('PATCH', path, {})).status).toBe(422);
    const other = await harness.newCaller();
    for (const method of ['GET', 'PATCH'] as const) expect((await other.call(method, path, { sms_enabled: true })).status).toBe(404);
  });
});
