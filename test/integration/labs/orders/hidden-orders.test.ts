import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useDatabase } from '../../../support/database.ts';
import { createApiHarness, type ApiHarness, type Caller } from '../../api/support/harness.ts';
import { address, patient, placeOrder, shipping } from '../support/order-body.ts';

const database = useDatabase({ hasLabData: true });
let harness: ApiHarness;
let team: Caller;

beforeAll(async () => {
  harness = await createApiHarness(database.current);
  team = await harness.newCaller({ isSandbox: true });
});
afterAll(() => harness.close());

const newUser = async () => (await team.call('POST', '/v2/user', { client_user_id: randomUUID() })).body.user_id as string;
const listed = async (query = '') => {
  const { orders, total } = (await team.call('GET', `/v3/orders${query}`)).body;
  return [orders.map(({ id }: { id: string }) => id), total];
};

it('orders of a deleted user are not listed, counted or sent again until the deletion is undone', async () => {
  const kept = await placeOrder(team, 'walk_in_test');
  harness.clock.advance(1000);
  const hidden = await placeOrder(team, 'walk_in_test');
  expect(await listed()).toEqual([[hidden.id, kept.id], 2]);
  await team.call('DELETE', `/v2/user/${hidden.user_id}`);
  expect(await listed()).toEqual([[kept.id], 1]);
  expect(await listed('?status=ordered&order_key=last_status')).toEqual([[kept.id], 1]);
  expect((await team.call('POST', '/v3/order/resend_events', { order_ids: [hidden.id, kept.id] })).body).toEqual({ order_ids: [kept.id] });
  await team.call('POST', `/v2/user/undo_delete?user_id=${hidden.user_id}`);
  expect(await listed()).toEqual([[hidden.id, kept.id], 2]);
});

it('a kit ordered for a deleted user is listed once it is registered to another', async () => {
  const { data } = (await team.call('GET', '/v3/lab_test?collection_method=testkit')).body;
  const [buyer, wearer] = [await newUser(), await newUser()];
  const kit = { user_id: buyer, lab_test_id: data[0].id, shipping_details: shipping };
  const { order } = (await team.call('POST', '/v3/order/testkit', kit)).body;
  await team.call('DELETE', `/v2/user/${buyer}`);
  const registration = { sample_id: order.sample_id, user_id: wearer, patient_details: patient, patient_address: address };
  const registered = await team.call('POST', '/v3/order/testkit/register', registration);
  expect(registered.status, registered.text).toBe(200);
  expect(await listed(`?user_id=${wearer}`)).toEqual([[order.id], 1]);
});
