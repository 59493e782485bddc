import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from '../net/listen.ts';
import { createCounters } from './counters.ts';
import { respond } from './respond.ts';
import type { ResponseBehaviour, ReceivedEvent, ReceiverStatistics } from './types.ts';
import { createVerifier } from './verifier.ts';

/** The last `max` distinct ids: `add` returns whether an id was already among them. */
function createBoundedIds(max: number): { add(id: string): boolean } {
  const ids = new Set<string>();
  return {
    add(id) {
      if (ids.has(id)) return true;
      ids.add(id);
      if (ids.size > max) ids.delete(ids.values().next().value as string);
      return false;
    },
  };
}

/**
 * The body as text, or undefined when it is larger than `bytesMax` or the request is aborted. The rest of a body that is too
 * large is read and discarded.
 */
function readBody(request: IncomingMessage, bytesMax: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else chunks.length = 0;
    });
    request.on('end', () => resolve(bytes > bytesMax ? undefined : Buffer.concat(chunks).toString('utf8')));
    // After an end this changes nothing: a promise settles once.
    request.on('close', () => resolve(undefined));
  });
}

export interface ReceiverOptions {
  readonly port?: number;
  readonly host?: string;
  /** `whsec_…`; may come later with `setSecrets`. Without one every request is rejected. */
  readonly secret?: string;
  /** Called for each verified request before the response. */
  readonly onEvent?: (event: ReceivedEvent) => void;
  /** Checks each verified body; invalid ones are counted, and the first problem is shown. */
  readonly findProblem?: (body: unknown) => string | undefined;
  readonly behaviour?: ResponseBehaviour;
  /** Ids that are remembered to detect repeats. Default 100,000. */
  readonly rememberedIdsMax?: number;
  /** Bodies that `GET /` shows. Default 20. */
  readonly keptBodiesMax?: number;
  /** Default 2 MiB. */
  readonly bodyBytesMax?: number;
}

export interface Receiver {
  readonly url: string;
  /** Replaces the secrets; more than one while a secret is being rotated. */
  setSecrets(secrets: readonly string[]): void;
  setBehaviour(behaviour: ResponseBehaviour): void;
  statistics(): ReceiverStatistics;
  close(): Promise<void>;
}

const keptBodyCharacters = 16_384;

/**
 * A receiver such as a team would run: accepts webhooks at any path, checks every signature and counts. Returns 401 for an
 * invalid signature and 413 for a body that is too large. `GET /` shows the counts and the last bodies; they are health data, so
 * keep it on the loopback address.
 */
export async function createReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const verifier = createVerifier(options.secret === undefined ? [] : [options.secret]);
  const counters = createCounters();
  const seen = createBoundedIds(options.rememberedIdsMax ?? 100_000);
  const lastBodies: string[] = [];
  const closing = new AbortController();
  let behaviour: ResponseBehaviour = options.behaviour ?? { kind: 'respond', status: 200 };

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const arrivedAtMs = performance.timeOrigin + performance.now();
    counters.arrived(arrivedAtMs);
    const body = await readBody(request, options.bodyBytesMax ?? 2 ** 21);
    if (body === undefined || !verifier.verifies(body, request.headers)) {
      counters.add('rejected');
      if (!response.destroyed) response.writeHead(body === undefined ? 413 : 401).end();
      return;
    }
    const parsed = parse(body);
    if (parsed === undefined) {
      counters.add('rejected');
      response.writeHead(400).end();
      return;
    }
    const webhookId = String(request.headers['webhook-id']);
    const isRepeat = seen.add(webhookId);
    counters.add('verified');
    if (isRepeat) counters.add('repeated');
    counters.eventType(parsed.eventType);
    const problem = options.findProblem?.(parsed.body);
    if (problem !== undefined) counters.problem(problem);
    keep(body);
    options.onEvent?.({ webhookId, eventType: parsed.eventType, isRepeat, arrivedAtMs, headers: request.headers, body: parsed.body });
    if (await respond(response, behaviour, closing.signal)) counters.add('accepted');
  }

  function keep(body: string): void {
    lastBodies.push(body.slice(0, keptBodyCharacters));
    if (lastBodies.length > (options.keptBodiesMax ?? 20)) lastBodies.shift();
  }

  const server = http.createServer((request, response) => {
    if (request.method === 'POST') return void take(request, response);
    if (request.method !== 'GET' || request.url !== '/') return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ statistics: counters.read(), lastBodies }, null, 2));
  });
  const url = await listen(server, options.port ?? 0, options.host ?? '127.0.0.1');

  return {
    url,
    setSecrets: verifier.setSecrets,
    setBehaviour: (changed) => void (behaviour = changed),
    statistics: counters.read,
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function parse(body: string): { eventType: string; body: unknown } | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    const eventType = typeof parsed === 'object' && parsed !== null && 'event_type' in parsed ? String(parsed.event_type) : 'unknown';
    return { eventType, body: parsed };
  } catch {
    return undefined;
  }
}
