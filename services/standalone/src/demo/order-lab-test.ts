import type { ApiClient } from './client/api-client.ts';
import type { Narrator } from './client/narrator.ts';
import type { Person } from './client/people.ts';

interface Results {
  readonly results: readonly { readonly name: string; readonly result: string; readonly unit: string | null }[];
  readonly metadata: { readonly laboratory: string };
}

const patient = {
  first_name: 'Ann',
  last_name: 'Example',
  dob: '1990-02-01',
  gender: 'female',
  phone_number: '+14155550100',
  email: 'ann@example.com',
};
const address = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ', zip: '85004', country: 'US' };

/** The completed order of the person, created if no earlier start has created it. */
async function findOrPlaceOrder(api: ApiClient, { userId }: Person): Promise<string> {
  const { orders } = await api.call<{ orders: { id: string }[] }>('GET', `/v3/orders?user_id=${userId}&status=completed&size=1`);
  if (orders[0] !== undefined) return orders[0].id;
  const { data: tests } = await api.call<{ data: { id: string }[] }>('GET', '/v3/lab_test?collection_method=walk_in_test');
  const body = {
    user_id: userId,
    order_set: { lab_test_ids: [tests[0]?.id] },
    patient_details: patient,
    patient_address: address,
  };
  const { order } = await api.call<{ order: { id: string } }>('POST', '/v3/order', { body });
  await api.call('POST', `/v3/order/${order.id}/test`, { body: { result_types: ['numeric'] } });
  return order.id;
}

/** Takes one lab order from its creation to its results, and prints what arrives. */
export async function orderLabTest(api: ApiClient, narrator: Narrator, person: Person): Promise<void> {
  const orderId = await findOrPlaceOrder(api, person);
  const order = await api.call<{ events: { status: string }[] }>('GET', `/v3/order/${orderId}`);
  const { results, metadata } = await api.call<Results>('GET', `/v3/order/${orderId}/result`);
  const statuses = order.events.map(({ status }) => status.split('.').at(-1));
  const shown = results.slice(0, 3).map(({ name, result, unit }) => `${name} ${result}${unit === null ? '' : ` ${unit}`}`);
  narrator.say(`A simulated lab order of ${person.name} at ${metadata.laboratory}: ${statuses.join(', ')}.`);
  narrator.say(`  ${results.length} results, among them ${shown.join(', ')}: GET /v3/order/${orderId}/result, or /result/pdf.`);
}
