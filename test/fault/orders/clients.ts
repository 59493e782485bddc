import { sleep } from '@pulsewire/kernel';

/** What the responses told the clients. */
export interface Told {
  /** Order ids by idempotency key: every response to a key must name the same order. */
  readonly orders: Map<string, Set<string>>;
  /** Bookings that were refused, by response. */
  readonly refusals: Map<string, number>;
  readonly counts: { booked: number; cancelled: number; rescheduled: number; completed: number };
}

export interface ClientOptions {
  readonly urls: readonly string[];
  readonly apiKey: string;
  readonly random: () => number;
  readonly told: Told;
  readonly signal: AbortSignal;
}

interface Reply {
  readonly status: number;
  readonly body: {
    readonly user_id?: string;
    readonly detail?: { readonly user_id?: string };
    readonly data?: readonly { readonly id: string }[];
    readonly order?: { readonly id: string };
    readonly last_event?: { readonly status: string };
    readonly slots?: readonly { readonly slots: readonly { readonly booking_key: string }[] }[];
  };
}

const patient = {
  first_name: 'Ann',
  last_name: 'Stone',
  dob: '1990-02-01',
  gender: 'female',
  phone_number: '+14155550100',
  email: 'ann@example.com',
};
const home = { first_line: '1 Main St', city: 'Phoenix', state: 'AZ' };
const responseMaxMs = 8000;
const reasonId = '00000000-0000-4000-8000-000000000001';
const booking = { async_confirmation: true, sync_confirmation_timeout_millisecond: 1000, async_confirmation_timeout_millisecond: 60_000 };

/** A client that orders, books, reschedules, cancels and waits for results, and repeats requests that got no response. */
export async function runClient(name: string, options: ClientOptions): Promise<void> {
  const { random, told, signal } = options;

  async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Reply | null> {
    const base = options.urls[Math.floor(random() * options.urls.length)] ?? '';
    try {
      const response = await fetch(base + path, {
        method,
        headers: { 'x-service-api-key': options.apiKey, ...(body && { 'content-type': 'application/json' }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(responseMaxMs),
      });
      return { status: response.status, body: (await response.json()) as Reply['body'] };
    } catch {
      // The process died, or is starting.
      await sleep(100);
      return null;
    }
  }

  /** Repeats a request that got no response or a server error; null when the campaign ends first. */
  async function insist(...request: Parameters<typeof call>): Promise<Reply | null> {
    while (!signal.aborted) {
      const reply = await call(...request);
      if (reply && reply.status < 500) return reply;
    }
    return null;
  }

  async function placeOrder(key: string): Promise<string | null> {
    const user = await insist('POST', '/v2/user', { client_user_id: key });
    const userId = user?.body.user_id ?? user?.body.detail?.user_id;
    const method = random() < 0.7 ? 'at_home_phlebotomy' : 'walk_in_test';
    const tests = await insist('GET', `/v3/lab_test?collection_method=${method}`);
    const testId = tests?.body.data?.[0]?.id;
    if (userId === undefined || testId === undefined) return null;
    const body = {
      user_id: userId,
      order_set: { lab_test_ids: [testId] },
      patient_details: patient,
      patient_address: { ...home, zip: '85004', country: 'US' },
    };
    const reply = await insist('POST', '/v3/order', body, { 'x-idempotency-key': key });
    const orderId = reply?.body.order?.id;
    if (orderId === undefined) {
      // An earlier copy of the request that got no response may still be in progress.
      if (reply?.status === 409) return signal.aborted ? null : sleep(200).then(() => placeOrderAgain(key, body));
      if (reply) throw new Error(`POST /v3/order: ${reply.status} ${JSON.stringify(reply.body)}`);
      return null;
    }
    remember(key, orderId);
    return method === 'at_home_phlebotomy' ? orderId : complete(orderId);
  }

  async function placeOrderAgain(key: string, body: object): Promise<string | null> {
    const reply = await insist('POST', '/v3/order', body, { 'x-idempotency-key': key });
    const orderId = reply?.body.order?.id;
    if (orderId === undefined) return null;
    remember(key, orderId);
    return orderId;
  }

  function remember(key: string, orderId: string): void {
    const ids = told.orders.get(key) ?? new Set();
    told.orders.set(key, ids.add(orderId));
  }

  async function complete(orderId: string): Promise<null> {
    const reply = await insist('POST', `/v3/order/${orderId}/test`, {});
    if (reply?.status === 200) told.counts.completed += 1;
    return null;
  }

  async function isReady(orderId: string): Promise<boolean> {
    const target = 'received.at_home_phlebotomy.requisition_created';
    for (let tries = 0; tries < 20 && !signal.aborted; tries++) {
      const order = await insist('GET', `/v3/order/${orderId}`);
      if (order?.body.last_event?.status === target) return true;
      // A simulation is lost with the process that runs it.
      if (tries % 5 === 0) await insist('POST', `/v3/order/${orderId}/test?final_status=${target}`, {});
      await sleep(100);
    }
    return false;
  }

  async function bookingKey(): Promise<string | undefined> {
    const reply = await insist('POST', '/v3/order/phlebotomy/appointment/availability', { ...home, zip_code: '85004' });
    const keys = reply?.body.slots?.flatMap(({ slots }) => slots.map((slot) => slot.booking_key)) ?? [];
    return keys[Math.floor(random() * keys.length)];
  }

  async function bookAndChange(orderId: string): Promise<void> {
    const path = `/v3/order/${orderId}/phlebotomy/appointment`;
    for (let tries = 0; tries < 4 && !signal.aborted; tries++) {
      const key = await bookingKey();
      if (key === undefined) return;
      // Not repeated unchanged: after a missing response, the next attempt shows whether this one was accepted.
      const reply = await call('POST', `${path}/book`, { booking_key: key, ...booking });
      if (reply?.status === 200) {
        told.counts.booked += 1;
        break;
      }
      const refusal = reply ? `${reply.status} ${JSON.stringify(reply.body.detail)}` : 'no response';
      told.refusals.set(refusal, (told.refusals.get(refusal) ?? 0) + 1);
    }
    const next = random();
    if (next < 0.25) {
      const reply = await insist('PATCH', `${path}/cancel`, { cancellation_reason_id: reasonId });
      if (reply?.status === 200) told.counts.cancelled += 1;
    } else if (next < 0.5) {
      const key = await bookingKey();
      const reply = key === undefined ? null : await call('PATCH', `${path}/reschedule`, { booking_key: key, ...booking });
      if (reply?.status === 200) told.counts.rescheduled += 1;
    } else if (next < 0.6) await insist('POST', `/v3/order/${orderId}/cancel`);
    else if (next < 0.8) await complete(orderId);
  }

  for (let number = 1; !signal.aborted; number++) {
    const orderId = await placeOrder(`${name}-${number}`);
    if (orderId !== null && (await isReady(orderId))) await bookAndChange(orderId);
  }
}
