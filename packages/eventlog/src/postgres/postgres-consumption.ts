import type { Database, Tx } from '@pulsewire/database';
import { errorCode, type Clock, type Logger, type Metrics, WakeSignal } from '@pulsewire/kernel';
import { logChannel } from '../append/announce.ts';
import type { Member } from '../group/member.ts';
import { runReadLoop } from '../group/read-loop.ts';
import { ShardLeases } from '../group/shard-leases.ts';
import { generationOf } from '../model/offsets.ts';
import type { Consumption, LogSink, Position } from '../model/types.ts';
import { createFairShare } from './fair-share.ts';
import { readFrom } from '../read/read.ts';

interface Options {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly member: Member;
  readonly pollMs: number;
  readonly sink: LogSink;
}

const readMax = 1000;
/** A read that returns this many events probably left more behind; after fewer, the reader waits for the next notification. */
const likelyMore = 16;

/** One member of a group that reads the log from Postgres and hands events to its sink. */
export class PostgresConsumption implements Consumption {
  readonly #options: Options;
  readonly #leases: ShardLeases;
  readonly #readSignal = new WakeSignal();
  #isStopping = false;
  #loops: Promise<unknown> = Promise.resolve();
  #unlisten: () => Promise<void> = async () => {};

  constructor(options: Options) {
    this.#options = options;
    const { clock, database, member } = options;
    const assignment = createFairShare({ database, member, nowMs: () => clock.monotonicMs() });
    this.#leases = new ShardLeases({ ...options, assignment, onReadable: () => this.#readSignal.set() });
  }

  async start(from: 'start' | 'end'): Promise<void> {
    const { database, logger, member, pollMs } = this.#options;
    const subscription = await database.listen(logChannel, () => this.#readSignal.set());
    this.#unlisten = () => subscription.unlisten();
    try {
      await this.#leases.join(from);
    } catch (error) {
      await this.#unlisten().catch(() => {});
      throw error;
    }
    const reading = runReadLoop({
      signal: this.#readSignal,
      pollMs,
      isStopping: () => this.#isStopping,
      readOnce: () => this.#readOnce(),
      onError: (error) => logger.warn({ group: member.group, errorCode: errorCode(error) }, 'log.read_failed'),
    });
    this.#loops = Promise.all([this.#leases.run(), reading]);
  }

  savePositions(tx: Tx, positions: readonly Position[]): Promise<void> {
    return this.#leases.savePositions(tx, positions);
  }

  async saved(positions: readonly Position[]): Promise<void> {
    this.#leases.saved(positions);
  }

  owned(): readonly number[] {
    return this.#leases.cursors.shards();
  }

  wake(): void {
    this.#readSignal.set();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#readSignal.set();
    this.#leases.stop();
    await this.#loops;
    await this.#unlisten().catch(() => {});
    await this.#leases.leave();
  }

  async #readOnce(): Promise<boolean> {
    const { database, sink } = this.#options;
    const limit = Math.min(readMax, sink.capacity());
    const points = this.#leases.cursors.readPoints();
    if (limit <= 0 || points.length === 0) return false;
    const epochs = this.#leases.epochsOf(points.map(({ shard }) => shard));
    const events = await readFrom(database, points, limit);
    if (events.length === 0) return false;
    if (events.some(({ offset }) => generationOf(offset) > this.#leases.generation)) {
      this.#leases.renewSoon();
      return false;
    }
    await sink.prepare?.();
    this.#leases.handOver(events, epochs);
    return this.#leases.isValid() && events.length >= Math.min(limit, likelyMore);
  }
}
