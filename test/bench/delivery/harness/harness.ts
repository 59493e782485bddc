import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { sleep, systemClock } from '@pulsewire/kernel';
import { createTeam } from '@pulsewire/connections';
import { createCipher, parseCipherKeys, plainArray, type Database } from '@pulsewire/database';
import { readLag } from '@pulsewire/eventlog';
import { attemptOutcomes, createEndpoint, deleteEndpoint, type EndpointContext } from '@pulsewire/webhooks';
import { Child } from '../../../fault/harness/child.ts';
import type { BenchOptions } from '../../report.ts';
import type { Behaviour } from './behaviours.ts';
import { Publisher } from './publisher.ts';
import { Receiver } from './receiver.ts';
import { startBenchServer, type BenchServer } from './server.ts';

export interface HarnessEndpoint {
  readonly id: string;
  readonly teamId: string;
  /** Its index in the receiver's records. */
  readonly number: number;
}

/** Deliveries since a moment: their number, and the first and last time (epoch milliseconds). */
export interface Span {
  readonly count: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

const dispatcherFile = path.join(import.meta.dirname, '../../../../services/dispatcher/src/main.ts');

/** A durable Postgres, the dispatcher as production runs it, a publisher and a receiver, each in a separate process. */
export class Harness {
  readonly server: BenchServer;
  readonly database: Database;
  readonly dispatcher: Child;
  readonly publisher: Publisher;
  readonly receiver: Receiver;
  /** An external receiver, which receives the deliveries instead of ours; they are then counted by our own record. */
  readonly sinkUrl: string | undefined;
  readonly #context: EndpointContext;
  readonly #foreignIds: string[] = [];
  #endpoints = 0;
  #resetAtMs = 0;

  private constructor(parts: { server: BenchServer; receiver: Receiver; sinkUrl: string | undefined }) {
    this.server = parts.server;
    this.database = parts.server.database;
    this.receiver = parts.receiver;
    this.sinkUrl = parts.sinkUrl;
    this.publisher = new Publisher(parts.server.url);
    const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;
    this.#context = { database: this.database, cipher: createCipher(parseCipherKeys(encryptionKeys)), clock: systemClock };
    this.dispatcher = new Child({
      name: 'dispatcher',
      file: dispatcherFile,
      env: {
        DATABASE_URL: parts.server.url,
        ENCRYPTION_KEYS: encryptionKeys,
        WEBHOOK_ALLOWED_NETWORKS: '0.0.0.0/0,::/0',
        HEALTH_PORT: '0',
        LOG_LEVEL: 'warn',
        LOG_FORMAT: 'json',
      },
    });
  }

  static async open({ sink }: BenchOptions): Promise<Harness> {
    return new Harness({ server: await startBenchServer(), receiver: await Receiver.start(), sinkUrl: sink });
  }

  async addTeam(): Promise<string> {
    return (await createTeam(this.database, systemClock, { name: 'bench', isSandbox: false })).teamId;
  }

  /** `schedule`: seconds before the second attempt, the third and so on; absent: the default one. */
  async addEndpoint(teamId: string, behaviour: Behaviour = 'ok', schedule?: readonly number[]): Promise<HarnessEndpoint> {
    const number = this.#endpoints++;
    const isForeign = behaviour === 'ok' && this.sinkUrl !== undefined;
    const { id } = await createEndpoint(this.#context, teamId, { url: isForeign ? this.sinkUrl : this.receiver.url(number, behaviour) });
    if (isForeign) this.#foreignIds.push(id);
    if (schedule)
      await this.database.sql`UPDATE webhook_endpoints SET retry_schedule = ${plainArray(schedule)}::integer[] WHERE endpoint_id = ${id}`;
    return { id, teamId, number };
  }

  /** This many teams, each with one endpoint. */
  async addTeams(count: number, behaviour: Behaviour = 'ok', schedule?: readonly number[]): Promise<readonly HarnessEndpoint[]> {
    const endpoints: HarnessEndpoint[] = [];
    for (let i = 0; i < count; i++) endpoints.push(await this.addEndpoint(await this.addTeam(), behaviour, schedule));
    return endpoints;
  }

  async removeEndpoint({ id, teamId }: HarnessEndpoint): Promise<void> {
    await deleteEndpoint(this.#context, teamId, id);
    await this.database.sql`DELETE FROM webhook_pending WHERE endpoint_id = ${id}`;
  }

  /** Starts the dispatcher and waits until it delivers. */
  async start(teamIds: readonly string[]): Promise<void> {
    this.dispatcher.start();
    await this.publisher.publish({ teamIds, perTransaction: 1, total: teamIds.length });
    await this.caughtUp(60_000);
  }

  /** Counts arrivals from now on; events committed before count as older. */
  async reset(): Promise<void> {
    this.#resetAtMs = Date.now();
    await this.receiver.reset(this.publisher.next);
  }

  /** Deliveries since the last reset: by the receiver's record, or for an external sink by ours. */
  async delivered(): Promise<Span> {
    if (this.sinkUrl === undefined) {
      const { taken, firstMs, lastMs } = await this.receiver.summary();
      return { count: taken, firstMs, lastMs };
    }
    const [row] = await this.database.sql<{ count: number; first: number | null; last: number | null }[]>`
      SELECT count(*)::int AS count, (extract(epoch FROM min(attempted_at)) * 1000)::float8 AS first,
             (extract(epoch FROM max(attempted_at + duration_ms * interval '1 ms')) * 1000)::float8 AS last
      FROM webhook_attempts WHERE outcome = ${attemptOutcomes.delivered} AND attempt = 1 AND attempted_at >= to_timestamp(${this.#resetAtMs}::float8 / 1000)`;
    return { count: row?.count ?? 0, firstMs: row?.first ?? 0, lastMs: row?.last ?? 0 };
  }

  /** Resolves when every committed event is recorded as delivered or as a row; throws after `maxMs`. */
  async caughtUp(maxMs: number): Promise<void> {
    await this.#until(maxMs, async () => {
      const [row] = await this.database.sql<{ known: number }[]>`SELECT count(*)::int AS known FROM log_positions`;
      return (row?.known ?? 0) > 0 && (await readLag(this.database, 'dispatcher')).events === 0;
    });
  }

  /** Resolves when additionally no delivery is waiting. */
  async settled(maxMs: number): Promise<void> {
    await this.caughtUp(maxMs);
    await this.#until(maxMs, async () => {
      const [row] = await this.database.sql<{ isEmpty: boolean }[]>`SELECT NOT EXISTS (SELECT FROM webhook_pending) AS "isEmpty"`;
      return row?.isEmpty ?? false;
    });
  }

  /** The count that an external receiver must have reached. */
  async sent(): Promise<{ readonly messages: number; readonly taken: number; readonly attempts: number }> {
    const [row] = await this.database.sql<{ messages: number; taken: number; attempts: number }[]>`
      SELECT count(DISTINCT event_id) FILTER (WHERE outcome = ${attemptOutcomes.delivered})::int AS messages, count(*) FILTER (WHERE outcome = ${attemptOutcomes.delivered})::int AS taken,
             count(*)::int AS attempts
      FROM webhook_attempts WHERE endpoint_id = ANY(${plainArray(this.#foreignIds)}::uuid[])`;
    return row ?? { messages: 0, taken: 0, attempts: 0 };
  }

  async close(): Promise<void> {
    await this.dispatcher.stop();
    await this.publisher.close();
    await this.receiver.close();
    await this.server.close();
    for (const { name, end, lastWords } of this.dispatcher.ends) console.log(`  ${name} ended by itself (${end}): ${lastWords}`);
  }

  async #until(maxMs: number, isDone: () => Promise<boolean>): Promise<void> {
    for (const end = performance.now() + maxMs; !(await isDone()); await sleep(25)) {
      if (performance.now() > end) throw new Error(`The dispatcher was not done within ${maxMs} ms. ${this.dispatcher.errors}`);
    }
  }
}
