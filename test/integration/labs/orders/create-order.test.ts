import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLabAccount } from '@pulsewire/labs';
import { createApiHarness, type ApiHarness, type Caller } from '../../api/support/harness.ts';
import { useDatabase } from '../../../support/database.ts';
import { address, orderBody, patient, placeOrder } from '../support/order-body.ts';

const database = useDatabase({ hasLabData: true });
let harness: ApiHarness;
let team: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current, { config: { sandboxUsersMax: 1000 } });
  team = await harness.newCaller({ isSandbox: true });
});
afterAll(() => harness.close());

const create = async (changes: object = {}, method?: string, headers?: Record<string, string>) =>
  team.call('POST', '/v3/order', await orderBody(team, method, changes), headers);
const eventsOf = async (userId: string) =>
  database.current.sql<{ event_type: string; json: string }[]>`
    SELECT event_type, json FROM log_events WHERE user_id = ${userId} AND event_type LIKE 'labtest.%' ORDER BY "offset"`;
const account = (caller: Caller, changes: object = {}) =>
  createLabAccount(database.current, harness.clock, {
    labId: 27,
    status: 'active',
    delegatedFlow: 'not_delegated',
    providerAccountId: '1',
    allowedBilling: { client_bill: ['AZ'] },
    teamIds: [caller.team.teamId],
    ...changes,
  });

describe('a new order', () => {
  it('starts as ordered, emits its event in the same transaction, and reads back unchanged', async () => {
    const { status, body } = await create({ clinical_notes: 'Two notes', passthrough: 'x-1', priority: true, icd_codes: ['E11.9'] });
    expect([status, body.status]).toEqual([200, 'success']);
    const { order } = body;
    expect(order.events.map((event: { status: string }) => event.status)).toEqual(['received.walk_in_test.ordered']);
    expect(order.last_event).toEqual(order.events[0]);
    expect(order).toMatchObject({
      status: 'received',
      origin: 'initial',
      clinical_notes: 'Two notes',
      passthrough: 'x-1',
      sample_id: null,
    });
    expect(order.patient_details).toMatchObject({ first_name: 'Ann', dob: '1990-02-01T00:00:00+00:00' });
    expect(order.patient_address.access_notes).toBe('Gate code 1234');
    expect(order.order_transaction).toMatchObject({ status: 'active', orders: [{ id: order.id, low_level_status: 'ordered' }] });
    expect((await team.call('GET', `/v3/order/${order.id}`)).body).toEqual(order);
    const events = await eventsOf(order.user_id);
    expect(events.map((event) => [event.event_type, JSON.parse(event.json)])).toEqual([['labtest.order.created', order]]);
  });

  it('can be created at both paths and with lab_test_id, and is counted in the metrics', async () => {
    const before = (await team.call('GET', '/v2/user/metrics')).body.number_of_ordered_tests;
    const { order_set: set, ...rest } = await orderBody(team);
    const [testId] = (set as { lab_test_ids: string[] }).lab_test_ids;
    expect((await team.call('POST', '/v3/order/create', { ...rest, lab_test_id: testId })).status).toBe(200);
    expect((await team.call('POST', '/v3/order', rest)).status).toBe(400);
    expect((await team.call('POST', '/v3/order', { ...rest, order_set: set, lab_test_id: testId })).status).toBe(422);
    expect((await team.call('GET', '/v2/user/metrics')).body.number_of_ordered_tests).toBe(before + 1);
  });

  it('stores no personal data unencrypted', async () => {
    const order = await placeOrder(team, 'walk_in_test', { clinical_notes: 'secret-note', passthrough: 'secret-text' });
    for (const table of ['lab_orders', 'lab_order_details', 'lab_requests', 'lab_tests', 'lab_order_events']) {
      const [row] = await database.current.sql<
        { text: string }[]
      >`SELECT coalesce(string_agg(t::text, ''), '') AS text FROM ${database.current.sql(table)} t`;
      expect(row?.text).not.toMatch(/O'Hara|ann@example|secret-|Main St|1990-02-01/);
    }
    expect(order.clinical_notes).toBe('secret-note');
  });

  it('of individual markers creates a test, which identical orders share', async () => {
    const wanted = { order_set: { add_on: { marker_ids: [261003, 261001] } }, collection_method: 'walk_in_test' };
    const first = (await create(wanted)).body.order.lab_test;
    const second = (await create({ ...wanted, order_set: { add_on: { marker_ids: [261001, 261003] } } })).body.order.lab_test;
    expect(first).toMatchObject({ auto_generated: true, lab: { slug: 'quest' }, method: 'walk_in_test' });
    expect(second.id).toBe(first.id);
    expect((await team.call('GET', '/v3/lab_test?generation_method=auto')).body.data.map(({ id }: { id: string }) => id)).toEqual([
      first.id,
    ]);
  });
});

describe('an order is rejected', () => {
  it('with all invalid fields at once; surrounding spaces are accepted', async () => {
    const wrong = {
      patient_details: { ...patient, first_name: ' -x', dob: '1990-02-01T10:00:00Z', phone_number: '123', email: 'nobody' },
      patient_address: { ...address, state: 'XX', zip: '1234' },
      clinical_notes: 'x'.repeat(1001),
    };
    const { status, body } = await create(wrong);
    const fields = body.detail.map(({ loc }: { loc: string[] }) => loc.at(-1));
    expect([status, fields]).toEqual([422, ['clinical_notes', 'first_name', 'dob', 'phone_number', 'email', 'state', 'zip']]);
    const trimmed = await create({ patient_details: { ...patient, first_name: '  Ann ', email: ' ann@example.com ' } });
    expect(trimmed.body.order.patient_details).toMatchObject({ first_name: 'Ann', email: 'ann@example.com' });
  });

  it('with 404 for unknown users, and with 400 if it violates a rule', async () => {
    const tests = (await team.call('GET', '/v3/lab_test')).body.data.map(({ id }: { id: string }) => id);
    const statusOf = async (changes: object) => (await create(changes)).status;
    expect(await statusOf({ user_id: randomUUID() })).toBe(404);
    const refused = [
      { order_set: { lab_test_ids: [randomUUID()] } },
      { order_set: { lab_test_ids: tests } },
      { order_set: { lab_test_ids: [] } },
      { order_set: { add_on: { marker_ids: [261001] } } },
      { order_set: { add_on: {} }, collection_method: 'walk_in_test' },
      { order_set: { add_on: { marker_ids: [261001], provider_ids: ['1'] } }, collection_method: 'walk_in_test' },
      { order_set: { add_on: { marker_ids: [41001] } }, collection_method: 'testkit' },
      { order_set: { add_on: { marker_ids: [261001] } }, collection_method: 'testkit' },
      { patient_details: { ...patient, phone_number: '0000000000' } },
      { patient_details: { ...patient, dob: '2020-01-01' } },
      { activate_by: '2020-01-01' },
      { parent_order_id: undefined, lab_account_id: await account(await harness.newCaller()) },
    ];
    const statuses = await Promise.all(refused.map(statusOf));
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 400, 404]);
  });

  it('if required questions are unanswered or answers are not among the choices', async () => {
    const wanted = { order_set: { add_on: { marker_ids: [261321] } }, collection_method: 'walk_in_test' };
    const question = { marker_id: 261321, question_id: 26_132_101 };
    expect((await create(wanted)).body.detail).toContain('How was the blood drawn?');
    const wrong = await create({ ...wanted, aoe_answers: [{ ...question, answer: 'Q' }] });
    expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ['body', 'aoe_answers', 0, 'answer']]);
    expect((await create({ ...wanted, aoe_answers: [{ ...question, answer: 'V' }] })).status).toBe(200);
    // The lab test already says whether the patient fasts.
    expect((await create({ order_set: { add_on: { marker_ids: [265006] } }, collection_method: 'walk_in_test' })).status).toBe(200);
  });
});

describe('the lab account of an order', () => {
  it('defaults to the team’s only active one, whose notes come first; several require a choice', async () => {
    const caller = await harness.newCaller({ isSandbox: true });
    const place = async (changes: object = {}) => caller.call('POST', '/v3/order', await orderBody(caller, 'walk_in_test', changes));
    expect((await place()).status).toBe(200);
    const pending = await account(caller, { status: 'pending' });
    expect((await place()).body.detail).toContain('active');
    expect((await place({ lab_account_id: pending })).status).toBe(400);
    const first = await account(caller, { defaultClinicalNotes: 'From the account' });
    expect((await place({ clinical_notes: 'Mine' })).body.order.clinical_notes).toBe('From the account\nMine');
    expect((await place({ billing_type: 'patient_bill' })).status).toBe(400);
    expect((await place({ patient_address: { ...address, state: 'CA' } })).status).toBe(400);
    await account(caller);
    expect((await place()).body.detail).toContain('several');
    expect((await place({ lab_account_id: first })).status).toBe(200);
  });

  it("limits orders to its lab, and may require the team's physician", async () => {
    const caller = await harness.newCaller({ isSandbox: true });
    const place = async (method: string, changes: object) => caller.call('POST', '/v3/order', await orderBody(caller, method, changes));
    const delegated = await account(caller, { delegatedFlow: 'order_delegated' });
    expect((await place('at_home_phlebotomy', { lab_account_id: delegated })).status).toBe(400);
    expect((await place('walk_in_test', {})).body.detail).toContain('physician');
    const physician = { first_name: 'Eve', last_name: 'Stone', npi: '1234567890' };
    expect((await place('walk_in_test', { physician })).body.order.physician).toEqual(physician);
  });

  it('is chosen again for an order recreated after INCORRECT_LAB, and otherwise kept', async () => {
    const caller = await harness.newCaller({ isSandbox: true });
    const body = await orderBody(caller);
    const place = (changes: object) => caller.call('POST', '/v3/order', { ...body, ...changes });
    const used = async (orderId: string) =>
      (await database.current.sql<{ id: string }[]>`SELECT lab_account_id AS id FROM lab_orders WHERE order_id = ${orderId}`)[0]?.id;
    const first = await account(caller);
    const parent = (await place({ lab_account_id: first })).body.order;
    await account(caller);
    const again = (await place({ parent_order_id: parent.id })).body.order;
    expect(again).toMatchObject({ origin: 'recreation', order_transaction: { id: parent.order_transaction.id } });
    expect(await used(again.id)).toBe(first);
    expect((await place({ parent_order_id: parent.id, update_reason: 'INCORRECT_LAB' })).body.detail).toContain('several');
    const other = { order_set: { add_on: { marker_ids: [281001] } }, collection_method: 'walk_in_test' };
    const moved = (await place({ ...other, parent_order_id: parent.id, update_reason: 'INCORRECT_LAB' })).body.order;
    expect(await used(moved.id)).not.toBe(first);
    expect((await place({ parent_order_id: randomUUID() })).status).toBe(404);
  });
});

describe('an idempotency key', () => {
  it('creates one order for 50 concurrent requests; the others get its response or 409', async () => {
    const body = await orderBody(team);
    const headers = { 'x-idempotency-key': randomUUID() };
    const replies = await Promise.all(Array.from({ length: 50 }, () => team.call('POST', '/v3/order', body, headers)));
    const ids = new Set(replies.filter(({ status }) => status === 200).map((reply) => reply.body.order.id));
    expect(ids.size).toBe(1);
    expect(replies.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    const orders = (await team.call('GET', `/v3/orders?user_id=${String(body['user_id'])}`)).body;
    expect(orders.total).toBe(1);
    expect(await eventsOf(String(body['user_id']))).toHaveLength(1);
  });

  it('repeats the first response at both paths, whatever has happened since', async () => {
    const body = await orderBody(team);
    const headers = { 'x-idempotency-key': 'key-of-the-snapshot' };
    const first = await team.call('POST', '/v3/order', body, headers);
    await team.call('POST', `/v3/order/${first.body.order.id}/cancel`);
    expect((await team.call('POST', '/v3/order/create', body, headers)).body).toEqual(first.body);
    expect((await team.call('POST', '/v3/order', { ...body, priority: true }, headers)).status).toBe(400);
    const other = await harness.newCaller({ isSandbox: true });
    expect((await other.call('POST', '/v3/order', await orderBody(other), headers)).status).toBe(200);
  });

  it('repeats rejections unless no-cache is sent, but never validation errors', async () => {
    const body = await orderBody(team);
    const key = (name: string, more: object = {}) => ({ 'x-idempotency-key': name, ...more });
    const minor = { ...body, patient_details: { ...patient, dob: '2020-01-01' } };
    for (const more of [{}, { 'x-idempotency-error': 'no-cache' }]) {
      const name = randomUUID();
      expect((await team.call('POST', '/v3/order', minor, key(name, more))).status).toBe(400);
      const later = await team.call('POST', '/v3/order', body, key(name));
      expect(later.status).toBe('x-idempotency-error' in more ? 200 : 400);
    }
    const name = randomUUID();
    expect((await team.call('POST', '/v3/order', { ...body, user_id: 'x' }, key(name))).status).toBe(422);
    expect((await team.call('POST', '/v3/order', body, key(name))).status).toBe(200);
  });
});
