import { sleep } from '@pulsewire/kernel';
import { bookAndChange, home } from './appointments.ts';
import { createCaller, type ApiCaller, type ClientOptions } from './caller.ts';

export const patient = {
  first_name: 'Ann',
  last_name: 'Stone',
  dob: '1990-02-01',
  gender: 'female',
  phone_number: '+14155550100',
  email: 'ann@example.com',
};
export const address = { ...home, zip: '85004', country: 'US' };

/** A client of a sandbox team that orders, books, reschedules, cancels and simulates results, and repeats requests that got no response. */
export async function runSandboxClient(name: string, options: ClientOptions): Promise<void> {
  const { random, observed, signal } = options;
  const api = createCaller(options);

  async function placeOrder(key: string): Promise<string | null> {
    const userId = await api.user(key);
    const method = random() < 0.7 ? 'at_home_phlebotomy' : 'walk_in_test';
    const tests = await api.insist('GET', `/v3/lab_test?collection_method=${method}`);
    const testId = tests?.body.data?.[0]?.id;
    if (userId === undefined || testId === undefined) return null;
    const ordered = { user_id: userId, order_set: { lab_test_ids: [testId] } };
    const orderId = await api.order(key, '/v3/order', { ...ordered, patient_details: patient, patient_address: address });
    if (method === 'at_home_phlebotomy' || orderId === null) return orderId;
    await complete(orderId);
    return null;
  }

  async function complete(orderId: string): Promise<void> {
    const reply = await api.insist('POST', `/v3/order/${orderId}/test`, {});
    if (reply?.status === 200) observed.counts.completed += 1;
  }

  async function isReady(orderId: string): Promise<boolean> {
    const target = 'received.at_home_phlebotomy.requisition_created';
    for (let tries = 0; tries < 20 && !signal.aborted; tries++) {
      const order = await api.insist('GET', `/v3/order/${orderId}`);
      if (order?.body.last_event?.status === target) return true;
      // A simulation is lost with the process that runs it.
      if (tries % 5 === 0) await api.insist('POST', `/v3/order/${orderId}/test?final_status=${target}`, {});
      await sleep(100);
    }
    return false;
  }

  for (let number = 1; !signal.aborted; number++) {
    const orderId = await placeOrder(`${name}-${number}`);
    if (orderId === null || !(await isReady(orderId))) continue;
    if ((await bookAndChange(api, options, orderId, 'phlebotomy')) && random() < 0.5) await complete(orderId);
  }
}

const recipient = { ...address, receiver_name: 'Ann Stone', phone_number: '+14155550100' };

interface RealTests {
  readonly walkIn: string;
  readonly atHome: string;
  readonly kit: string;
}

/** Creates the tests of a team, once. */
export async function createTests(options: ClientOptions): Promise<RealTests> {
  const api = createCaller(options);
  const create = async (method: string, marker: number) => {
    const reply = await api.insist('POST', '/v3/lab_tests', { marker_ids: [marker], name: method, method, description: method });
    if (reply?.body.id === undefined) throw new Error(`POST /v3/lab_tests: ${JSON.stringify(reply)}`);
    return reply.body.id;
  };
  return {
    walkIn: await create('walk_in_test', 261001),
    atHome: await create('at_home_phlebotomy', 261001),
    kit: await create('testkit', 45006),
  };
}

/** A client of a team with real partners: visits, service centers and test kits, with or without a patient at first. */
export async function runRealClient(name: string, tests: RealTests, options: ClientOptions): Promise<void> {
  const { random, observed, signal } = options;
  const api = createCaller(options);

  /** Waits for what a partner has to do first. */
  async function isTrue(orderId: string, is: (order: Awaited<ReturnType<ApiCaller['insist']>>) => boolean): Promise<boolean> {
    for (let tries = 0; tries < 40 && !signal.aborted; tries++) {
      if (is(await api.insist('GET', `/v3/order/${orderId}`))) return true;
      await sleep(150);
    }
    return false;
  }

  async function orderKit(key: string, userId: string): Promise<void> {
    const kit = { user_id: userId, lab_test_id: tests.kit, shipping_details: recipient };
    const orderId = await api.order(key, '/v3/order/testkit', kit);
    if (orderId === null) return;
    observed.counts.kits += 1;
    if (random() < 0.15) return void (await api.insist('POST', `/v3/order/${orderId}/cancel`));
    let sampleId: string | null | undefined;
    await isTrue(orderId, (order) => {
      sampleId = order?.body.sample_id;
      return typeof sampleId === 'string' && /awaiting_registration|with_customer/.test(order?.body.last_event?.status ?? '');
    });
    if (typeof sampleId !== 'string') return;
    const registration = { sample_id: sampleId, patient_details: patient, patient_address: address };
    const reply = await api.insist('POST', '/v3/order/testkit/register', registration);
    if (reply?.status === 200) observed.counts.registered += 1;
  }

  async function orderTest(key: string, userId: string, testId: string): Promise<void> {
    const ordered = { user_id: userId, order_set: { lab_test_ids: [testId] } };
    const orderId = await api.order(key, '/v3/order', { ...ordered, patient_details: patient, patient_address: address });
    if (orderId === null) return;
    if (testId === tests.kit) {
      observed.counts.kits += 1;
      if (random() < 0.15) await api.insist('POST', `/v3/order/${orderId}/cancel`);
      return;
    }
    const isPlaced = await isTrue(orderId, (order) => !order?.body.last_event?.status.endsWith('.ordered'));
    if (isPlaced) await bookAndChange(api, options, orderId, testId === tests.walkIn ? 'psc' : 'phlebotomy');
  }

  for (let number = 1; !signal.aborted; number++) {
    const key = `${name}-${number}`;
    const userId = await api.user(key);
    if (userId === undefined) return;
    const dice = random();
    if (dice < 0.25) await orderKit(key, userId);
    else await orderTest(key, userId, dice < 0.4 ? tests.kit : dice < 0.7 ? tests.walkIn : tests.atHome);
  }
}
