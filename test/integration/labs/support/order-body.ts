import { randomUUID } from 'node:crypto';
import type { Caller } from '../../api/support/harness.ts';

export const patient = {
  first_name: 'Ann',
  last_name: "O'Hara",
  dob: '1990-02-01',
  gender: 'female',
  phone_number: '+1 415 555 0100',
  email: 'ann@example.com',
};
export const address = {
  first_line: '1 Main St',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
  access_notes: 'Gate code 1234',
};

export const shipping = {
  receiver_name: 'Ben Receiver',
  first_line: '1 Main St',
  city: 'Phoenix',
  state: 'AZ',
  zip: '85004',
  country: 'US',
  phone_number: '+14155550100',
};

/** A valid order body for the team's sandbox test of this collection method. */
export async function orderBody(caller: Caller, method = 'walk_in_test', changes: object = {}): Promise<Record<string, unknown>> {
  const { user_id: userId } = (await caller.call('POST', '/v2/user', { client_user_id: randomUUID() })).body;
  const { data } = (await caller.call('GET', `/v3/lab_test?collection_method=${method}`)).body;
  const ordered = { user_id: userId, order_set: { lab_test_ids: [data[0].id] } };
  return { ...ordered, patient_details: patient, patient_address: address, ...changes };
}

/** Places an order; returns it. */
export async function placeOrder(caller: Caller, method?: string, changes?: object) {
  const reply = await caller.call('POST', '/v3/order', await orderBody(caller, method, changes));
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body.order;
}
