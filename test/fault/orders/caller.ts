import { sleep } from '@pulsewire/kernel';

/** What the clients saw in responses. */
export interface Observed {
  /** Order ids by idempotency key: every response to a key must name the same order. */
  readonly orders: Map<string, Set<string>>;
  /** Appointments that a response named. */
  readonly appointments: Set<string>;
  /** Bookings that were refused, by response. */
  readonly refusals: Map<string, number>;
  readonly counts: { booked: number; cancelled: number; rescheduled: number; completed: number; kits: number; registered: number };
}

export interface ClientOptions {
  readonly urls: readonly string[];
  readonly apiKey: string;
  readonly random: () => number;
  readonly observed: Observed;
  readonly signal: AbortSignal;
}

export interface Reply {
  readonly status: number;
  readonly body: {
    readonly user_id?: string;
    readonly id?: string;
    readonly sample_id?: string | null;
    readonly detail?: { readonly user_id?: string };
    readonly data?: readonly { readonly id: string }[];
    readonly order?: { readonly id: string };
    readonly last_event?: { readonly status: string };
    readonly slots?: readonly { readonly slots: readonly { readonly booking_key: string }[] }[];
  };
}

const responseMaxMs = 8000;

export interface ApiCaller {
  /** One request; null when it got no response. */
  call(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Reply | null>;
  /** Repeats a request that got no response or a server error; null when the campaign ends first. */
  insist(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Reply | null>;
  /** Creates a user of this name, or finds it. */
  user(name: string): Promise<string | undefined>;
  /**
   * Orders with an idempotency key, which is repeated with later orders while an earlier copy of the request seems to be in progress. Null
   * when the response is not known.
   */
  order(key: string, path: string, body: object): Promise<string | null>;
}

/** Calls any of the APIs. */
export function createCaller({ urls, apiKey, random, observed, signal }: ClientOptions): ApiCaller {
  async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<Reply | null> {
    const base = urls[Math.floor(random() * urls.length)] ?? '';
    try {
      const response = await fetch(base + path, {
        method,
        headers: { 'x-service-api-key': apiKey, ...(body && { 'content-type': 'application/json' }), ...headers },
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

  async function insist(...request: Parameters<typeof call>): Promise<Reply | null> {
    while (!signal.aborted) {
      const reply = await call(...request);
      if (reply && reply.status < 500) return reply;
    }
    return null;
  }

  interface NewOrder {
    readonly key: string;
    readonly path: string;
    readonly body: object;
  }
  // Two minutes pass until the key of a request whose process died can be used again; the client orders for others meanwhile.
  const waiting: NewOrder[] = [];

  async function attempt(order: NewOrder): Promise<string | null> {
    const { key, path, body } = order;
    const reply = await insist('POST', path, body, { 'x-idempotency-key': key });
    const orderId = reply?.body.order?.id;
    if (orderId !== undefined) observed.orders.set(key, (observed.orders.get(key) ?? new Set()).add(orderId));
    else if (reply?.status === 409) waiting.push(order);
    else if (reply) throw new Error(`POST ${path}: ${reply.status} ${JSON.stringify(reply.body)}`);
    return orderId ?? null;
  }

  return {
    call,
    insist,
    async user(name) {
      const user = await insist('POST', '/v2/user', { client_user_id: name });
      return user?.body.user_id ?? user?.body.detail?.user_id;
    },
    async order(key, path, body) {
      const others = waiting.splice(0);
      for (const other of others) await attempt(other);
      return attempt({ key, path, body });
    },
  };
}
