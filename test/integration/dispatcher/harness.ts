import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect } from 'vitest';
import { noMetrics, silentLogger, systemClock, uuidv7, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import { renderSummary } from '@pulsewire/contract';
import { createCipher, openDatabase, type Database } from '@pulsewire/database';
import { firstShardCount, jsonEvent, readLag, withEvents, type EventLog, type NewEvent } from '@pulsewire/eventlog';
import { createAddressGuard, createWebhookSender } from '@pulsewire/outbound';
import { createDispatcher, createEndpoint, getSecret, type Dispatcher, type EndpointContext, type Tuning } from '@pulsewire/webhooks';
import { missingLog, openTestLog } from '../../support/log.ts';

export interface Received {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A receiver whose behaviour a test defines; by default it accepts everything. */
export class TestReceiver {
  readonly received: Received[] = [];
  respond: (request: Received, response: ServerResponse) => void = (_request, response) => void response.writeHead(204).end();
  readonly #server: Server;
  #waiters: { isDone: () => boolean; done: () => void }[] = [];

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const one = { id: String(request.headers['webhook-id']), headers: request.headers, body: Buffer.concat(chunks).toString() };
        this.received.push(one);
        this.respond(one, response);
        this.#waiters = this.#waiters.filter((waiter) => {
          if (!waiter.isDone()) return true;
          waiter.done();
          return false;
        });
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  get ids(): Set<string> {
    return new Set(this.received.map((one) => one.id));
  }

  /** Resolves when this many different messages have arrived. */
  until(distinct: number): Promise<void> {
    return this.untilTrue(() => this.ids.size >= distinct);
  }

  /** Resolves when `isDone` returns true; it is checked at every request. */
  untilTrue(isDone: () => boolean): Promise<void> {
    if (isDone()) return Promise.resolve();
    return new Promise((done) => this.#waiters.push({ isDone, done }));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export interface RunningDispatcher {
  readonly dispatcher: Dispatcher;
  readonly database: Database;
  readonly memberId: string;
  /** Drains and ends. */
  stop(): Promise<void>;
  /** Stops it like a crash: nothing more is recorded, and its connections and requests break. */
  crash(): Promise<void>;
}

export interface Harness {
  readonly context: EndpointContext;
  readonly teamId: string;
  /** Log settings for a service in a separate process. */
  readonly logEnv: Readonly<Record<string, string>>;
  /** The log of this run, for a dispatcher that a test builds itself. */
  createLog(database: Database): EventLog;
  receiver(): Promise<{ receiver: TestReceiver; url: string }>;
  /** An endpoint with its own receiver. */
  endpoint(options?: {
    filterTypes?: string[];
    teamId?: string;
  }): Promise<{ receiver: TestReceiver; endpointId: string; secret: string; url: string }>;
  /** Emits `count` events, by default each of a different user. */
  emit(count: number, fields?: Partial<Parameters<typeof jsonEvent>[0]>): Promise<NewEvent[]>;
  start(
    tuning?: Partial<Tuning>,
    extra?: { logger?: Logger; url?: string; clock?: Clock; metrics?: Metrics; leaseMs?: number },
  ): RunningDispatcher;
  pending(): Promise<{ endpoint_id: string; event_id: string; attempts: number; lease_owner: string | null; due_in_ms: number | null }[]>;
  attempts(): Promise<
    { endpoint_id: string; event_id: string; attempt: number; outcome: number; status: number | null; error: string | null }[]
  >;
  /** Resolves when every position has reached the end of its shard. */
  caughtUp(): Promise<void>;
}

/** An activity that matches the contract, so that a log with schemas accepts it too. */
function activity(userId: string, steps: number): object {
  const source = { provider: 'fitbit', type: 'watch', appId: 'ü "quoted"' };
  const at = Date.UTC(2026, 0, 5);
  const summary = { kind: 'summary', id: uuidv7(), resource: 'activity', source, calendarDate: '2026-01-05', at, data: { steps } } as const;
  return renderSummary({ summary, userId, createdAt: at, updatedAt: at });
}

/** Wraps the logger and collects refused delivery transitions, which are a bug in any test. */
function watchTransitions(logger: Logger, refused: object[]): Logger {
  return {
    debug: (fields, event) => logger.debug(fields, event),
    info: (fields, event) => logger.info(fields, event),
    warn: (fields, event) => logger.warn(fields, event),
    error(fields, event) {
      if (event === 'delivery.transition_illegal') refused.push(fields);
      logger.error(fields, event);
    },
    child: (fields) => watchTransitions(logger.child(fields), refused),
  };
}

/** The key that the dispatchers of tests encrypt with, which an API beside them needs too. */
export const harnessKey = Buffer.from('0123456789abcdefghijklmnopqrstuv');

/** Creates an isolated environment on the file's database for each test; everything started in it is stopped after the test. */
export function useHarness(file: { readonly current: Database; readonly url: string }): () => Promise<Harness> {
  const endings: (() => Promise<unknown>)[] = [];
  const refused: object[] = [];
  beforeEach(({ skip }) => {
    const reason = missingLog();
    if (reason !== null) skip(reason);
  });
  afterEach(async () => {
    for (const end of endings.splice(0).toReversed()) await end();
    expect(refused.splice(0), 'illegal transitions of deliveries').toEqual([]);
    const { sql } = file.current;
    await sql`DELETE FROM webhook_endpoints`;
    await sql`DELETE FROM webhook_pending`;
    await sql`DELETE FROM webhook_replays`;
    await sql`DELETE FROM webhook_attempts`;
    await sql`DELETE FROM log_positions`;
    await sql`DELETE FROM log_members`;
    await sql`DELETE FROM log_events`;
    // Back to the first generation.
    await sql`DELETE FROM log_generations WHERE generation > 1`;
    await sql`DELETE FROM log_shards WHERE shard >= ${firstShardCount}`;
    await sql`UPDATE log_generations SET ends_at = NULL`;
    await sql`UPDATE log_shards SET next_offset = 0, shard_count = ${firstShardCount}, fence = 0`;
  });
  return async () => {
    const database = file.current;
    const cipher = createCipher(new Map([[1, harnessKey]]));
    const guard = createAddressGuard({ allowedNetworks: ['127.0.0.0/8'] });
    const context: EndpointContext = { database, cipher, clock: systemClock, guard };
    const teamId = uuidv7();
    await database.sql`INSERT INTO teams (team_id, name, created_at) VALUES (${teamId}, 'test', now())`;

    // The first dispatcher would start at the current end of the log and could miss events that are emitted right after it starts.
    await database.sql`
      INSERT INTO log_positions (consumer, shard, "offset", day) SELECT 'dispatcher', shard, next_offset, day FROM log_shards ON CONFLICT DO NOTHING`;
    const testLog = await openTestLog(database);
    endings.push(() => testLog.close());

    const receiver = async () => {
      const one = new TestReceiver();
      endings.push(() => one.close());
      return { receiver: one, url: await one.listen() };
    };
    return {
      context,
      teamId,
      logEnv: testLog.env,
      createLog: (own) => testLog.create({ database: own, logger: silentLogger }),
      receiver,
      async endpoint(options = {}) {
        const made = await receiver();
        const team = options.teamId ?? teamId;
        const { id } = await createEndpoint(context, team, { url: made.url, filter_types: options.filterTypes ?? null });
        return { ...made, endpointId: id, secret: (await getSecret(context, team, id)).key };
      },
      async emit(count, fields = {}) {
        const events = Array.from({ length: count }, (_, number) => {
          const userId = uuidv7();
          const head = { eventType: 'daily.data.activity.created', teamId, userId, clientUserId: 'someone' };
          return jsonEvent({ ...head, data: activity(userId, number), ...fields });
        });
        await withEvents(database, async (_tx, emit) => events.forEach(emit));
        return events;
      },
      start(tuning = {}, extra = {}) {
        const own = openDatabase({ url: extra.url ?? file.url, name: 'dispatcher-test', connectionsMax: 6 });
        const logger = watchTransitions(extra.logger ?? silentLogger, refused);
        const sender = createWebhookSender({ guard, totalTimeoutMs: tuning.attemptMsMax ?? 15_000 });
        const memberId = `test-${randomBytes(4).toString('hex')}`;
        const log = testLog.create({ database: own, logger, leaseMs: extra.leaseMs ?? 1000 });
        const dispatcher = createDispatcher({
          database: own,
          log,
          cipher,
          sender,
          clock: extra.clock ?? systemClock,
          logger,
          metrics: extra.metrics ?? noMetrics,
          memberId,
          tuning,
        });
        const controller = new AbortController();
        const running = dispatcher.run(controller.signal);
        let isOver = false;
        const end = async (before: () => Promise<unknown>) => {
          if (isOver) return;
          isOver = true;
          await before();
          controller.abort();
          await running.catch(() => {});
          await sender.close();
          await own.close();
        };
        const stop = () => end(async () => {});
        endings.push(stop);
        return { dispatcher, database: own, memberId, stop, crash: () => end(() => Promise.all([sender.close(), own.close()])) };
      },
      async pending() {
        return database.sql`SELECT endpoint_id, event_id, attempts, lease_owner, CASE WHEN due_at < 'infinity' THEN (extract(epoch FROM due_at - now()) * 1000)::int END AS due_in_ms FROM webhook_pending ORDER BY event_id`;
      },
      async attempts() {
        return database.sql`SELECT endpoint_id, event_id, attempt, outcome, status, error FROM webhook_attempts ORDER BY attempted_at`;
      },
      async caughtUp() {
        for (;;) {
          const [row] = await database.sql<{ unknown: number }[]>`
            SELECT count(*)::int AS unknown FROM log_shards s
            WHERE NOT EXISTS (SELECT FROM log_positions p WHERE p.consumer = 'dispatcher' AND p.shard = s.shard)`;
          if (row?.unknown === 0 && (await readLag(database, 'dispatcher')).events === 0) return;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      },
    };
  };
}
