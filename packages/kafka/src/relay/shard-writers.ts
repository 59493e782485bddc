import { AppError, sleep, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import { and, eq, inArray } from 'drizzle-orm';
import { plainArray, run, type Database } from '@pulsewire/database';
import { relayWriters } from '../records/tables.ts';

/** A shard with the epoch of the lease under which it is to be written. */
export interface LeasedShard {
  readonly shard: number;
  readonly epoch: number;
}

export interface ShardWritersOptions {
  readonly database: Database;
  readonly group: string;
  readonly memberId: string;
  /** Id under which this member writes. */
  producerId(): Promise<string>;
  /** Id of the Kafka cluster that this member writes to; producer ids mean nothing in another one. */
  clusterId(): Promise<string>;
  /** Fences a producer in the partitions of these shards: the brokers refuse everything that it sends from then on. */
  fence(producerId: string, shards: readonly number[]): Promise<void>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

interface Row {
  shard: number;
  member: string;
  producer_id: string;
  is_alive: boolean;
}

/** A live member hands a shard over as soon as its records are acknowledged; one that takes longer is fenced. */
const handOverMs = 2000;
const recheckMs = 25;

/**
 * Records in Postgres which member writes a shard to Kafka and ensures that only one does at a time. A lease alone cannot: a process that
 * was frozen resumes and sends records older than those of its successor.
 */
export class ShardWriters {
  readonly #options: ShardWritersOptions;

  constructor(options: ShardWritersOptions) {
    this.#options = options;
  }

  /**
   * Resolves when no earlier writer can write to these shards any more and this member is recorded as their writer. Throws AppError
   * `lease_lost` when one of them is not this member's, and `kafka_unavailable`.
   */
  async takeOver(shards: readonly LeasedShard[], whileWaiting: () => Promise<void> = async () => {}): Promise<void> {
    const { clock, logger, metrics } = this.#options;
    const [producerId, clusterId] = await Promise.all([this.#options.producerId(), this.#options.clusterId()]);
    const deadlineMs = clock.monotonicMs() + handOverMs;
    for (;;) {
      const others = await this.#others(
        shards.map(({ shard }) => shard),
        clusterId,
      );
      const due = clock.monotonicMs() >= deadlineMs ? others : others.filter((row) => !row.is_alive);
      for (const [other, rows] of Map.groupBy(due, (row) => row.producer_id)) {
        const fenced = rows.map(({ shard }) => shard);
        await this.#options.fence(other, fenced);
        logger.warn({ producer: other, member: rows[0]?.member, shards: fenced.length }, 'relay.predecessor_fenced');
        metrics.count('relay_fences_total');
      }
      if (due.length === others.length) break;
      // Two members waiting for each other's shards must both release theirs.
      await whileWaiting();
      await sleep(recheckMs);
    }
    await this.#note(shards, producerId, clusterId);
  }

  /** No record of these shards is in flight any more, so the next owner need not fence this member. */
  async handBack(shards: readonly number[]): Promise<void> {
    if (shards.length === 0) return;
    const { database, memberId } = this.#options;
    await run(database.orm.delete(relayWriters).where(and(eq(relayWriters.member, memberId), inArray(relayWriters.shard, [...shards]))));
  }

  /** Ignores rows of other clusters: their in-flight records cannot arrive here. */
  async #others(shards: readonly number[], clusterId: string): Promise<readonly Row[]> {
    const { database, group, memberId } = this.#options;
    return database.sql<Row[]>`
      SELECT w.shard, w.member, w.producer_id::text, EXISTS (
        SELECT 1 FROM log_members m WHERE m.consumer = ${group} AND m.member = w.member
      ) AS is_alive
      FROM relay_writers w WHERE w.shard = ANY(${plainArray(shards)}::smallint[]) AND w.member <> ${memberId}
        AND coalesce(w.cluster_id, ${clusterId}) = ${clusterId}`;
  }

  // Only under the current lease, locked until the commit: otherwise a slow member could replace its successor.
  async #note(shards: readonly LeasedShard[], producerId: string, clusterId: string): Promise<void> {
    const { database, group, memberId } = this.#options;
    await database.transaction(async ({ sql }) => {
      const owned = await sql`
        SELECT 1 FROM log_positions p
        JOIN unnest(${plainArray(shards.map(({ shard }) => shard))}::smallint[], ${plainArray(shards.map(({ epoch }) => epoch))}::bigint[])
          AS v(shard, epoch) USING (shard, epoch)
        WHERE p.consumer = ${group} AND p.owner = ${memberId} ORDER BY p.shard FOR SHARE OF p`;
      if (owned.length !== shards.length)
        throw new AppError({ code: 'lease_lost', kind: 'conflict', message: 'Another member owns this shard', retryable: true });
      await sql`
        INSERT INTO relay_writers (shard, member, producer_id, cluster_id)
        SELECT shard, ${memberId}, ${producerId}::bigint, ${clusterId} FROM unnest(${plainArray(shards.map(({ shard }) => shard))}::smallint[]) AS v(shard)
        ON CONFLICT (shard) DO UPDATE SET member = excluded.member, producer_id = excluded.producer_id, cluster_id = excluded.cluster_id`;
    });
  }
}
