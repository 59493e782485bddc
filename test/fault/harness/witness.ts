import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Webhook } from 'standardwebhooks';
import type { Arrival } from './order.ts';

interface Sighting {
  /** Requests that got a 2xx response. */
  count: number;
  readonly body: string;
  readonly sequence: number;
}

interface Envelope {
  readonly user_id: string;
  readonly event_type: string;
  readonly data: {
    readonly id?: string;
    readonly updated_at?: string;
    readonly source?: { readonly type: string };
    readonly data?: readonly { readonly timestamp: string; readonly value: number }[];
  };
}

/** A receiver that verifies with a third-party library, records everything, and occasionally responds with 500 to a first attempt. */
export class Witness {
  readonly sightings = new Map<string, Sighting>();
  badSignatures = 0;
  changedBodies = 0;
  refused = 0;
  /** Every request with a valid signature, in the order of arrival. */
  readonly arrivals: Arrival[] = [];
  verifier: Webhook | undefined;
  /** Fraction of messages that are refused at their first attempt. */
  refuseShare = 0;
  readonly #refused = new Set<string>();
  readonly #random: () => number;
  readonly #server: Server;

  /** `random` decides what is refused. */
  constructor(random: () => number = Math.random) {
    this.#random = random;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        response.statusCode = this.#see(Buffer.concat(chunks).toString('utf8'), request.headers as Record<string, string>);
        response.end();
      });
    });
    this.#server.keepAliveTimeout = 60_000;
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get repeated(): number {
    let repeated = 0;
    for (const { count } of this.sightings.values()) repeated += count - 1;
    return repeated;
  }

  /** The state as a team would rebuild it: for each key the value with the highest sequence. */
  rebuild(): { samples: Map<string, number>; summaries: Map<string, number> } {
    const samples = new Map<string, number>();
    const summaries = new Map<string, number>();
    const inOrder = [...this.sightings.values()].sort((a, b) => a.sequence - b.sequence);
    for (const { body } of inOrder) {
      const { user_id: userId, event_type: type, data } = JSON.parse(body) as Envelope;
      const resource = type.split('.')[2] ?? '';
      // Events of connections and devices have ids too, and are no summaries.
      if (data.id !== undefined && !type.startsWith('provider.')) summaries.set(data.id, Date.parse(data.updated_at ?? ''));
      for (const sample of data.data ?? [])
        samples.set(`${userId} ${resource} ${data.source?.type} ${Date.parse(sample.timestamp)}`, sample.value);
    }
    return { samples, summaries };
  }

  #see(body: string, headers: Record<string, string>): number {
    const id = headers['webhook-id'] ?? '';
    try {
      this.verifier?.verify(body, headers);
    } catch {
      this.badSignatures += 1;
      return 400;
    }
    const known = this.sightings.get(id);
    const sequence = Number(headers['webhook-sequence']);
    const isRefused = !known && !this.#refused.has(id) && this.refuseShare > 0 && this.#random() < this.refuseShare;
    this.arrivals.push({ id, userId: /"user_id":"([^"]*)"/.exec(body)?.[1] ?? '', sequence, isTaken: !isRefused });
    if (isRefused) {
      this.#refused.add(id);
      this.refused += 1;
      return 500;
    }
    if (!known) this.sightings.set(id, { count: 1, body, sequence });
    else {
      known.count += 1;
      if (known.body !== body) this.changedBodies += 1;
    }
    return 204;
  }
}
