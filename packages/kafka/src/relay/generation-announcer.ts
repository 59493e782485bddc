import { plainArray, type Database } from '@pulsewire/database';
import { GenerationEnds, newestPosition, newestShard, reachedOffset, readIdentity } from '@pulsewire/eventlog';
import type { OutgoingRecord } from '../records/event-record.ts';
import { generationMarker } from '../records/marker.ts';
import { partitionOf } from '../records/topics.ts';
import type { LeasedShard } from './shard-writers.ts';

/** A generation that has begun in one of our shards and is not announced on the topic yet. */
export interface DueGeneration extends LeasedShard {
  readonly generation: number;
}

export interface GenerationAnnouncerOptions {
  readonly database: Database;
  readonly group: string;
  readonly memberId: string;
  readonly partitions: number;
  readonly eventsTopic: string;
  clusterId(): Promise<string>;
}

/** Finds generations that are not announced on the event topic, creates their markers, and records what was announced. */
export class GenerationAnnouncer {
  readonly #options: GenerationAnnouncerOptions;

  constructor(options: GenerationAnnouncerOptions) {
    this.#options = options;
  }

  /** Only shards whose earlier generations are published completely, and only under leases that a loss of history has not voided. */
  async due(): Promise<readonly DueGeneration[]> {
    const { database, group, memberId, eventsTopic } = this.#options;
    const { sql } = database;
    const clusterId = await this.#options.clusterId();
    const rows = await sql<{ shard: number; epoch: string; generation: number }[]>`
      SELECT p.shard, p.epoch, g.generation
      FROM log_generations g
      CROSS JOIN LATERAL ${newestPosition(sql, group, 'g.shard')} p
      JOIN LATERAL ${newestShard(sql, 'g.shard')} s ON p.epoch >> 32 = s.fence
      LEFT JOIN relay_generations r ON r.cluster_id = ${clusterId} AND r.topic = ${eventsTopic} AND r.shard = g.shard
      WHERE g.ends_at IS NULL AND EXISTS (SELECT FROM log_generations e WHERE e.shard = g.shard AND e.generation < g.generation)
        AND p.owner = ${memberId} AND g.generation > coalesce(r.generation, 0)
        AND ${reachedOffset(sql, 'p.shard', 'p."offset"')} >= g.begins_at
      ORDER BY p.shard`;
    return rows.map(({ shard, epoch, generation }) => ({ shard, epoch: Number(epoch), generation }));
  }

  async recordsOf(due: readonly DueGeneration[]): Promise<readonly OutgoingRecord[]> {
    const { database, partitions } = this.#options;
    const { installationId } = await readIdentity(database);
    const ends = new GenerationEnds();
    await ends.refresh(database);
    return due.map(({ shard, generation }) =>
      generationMarker(partitionOf(shard, partitions), {
        installationId,
        shard,
        generation,
        endsBefore: ends.describeBefore(shard, generation),
      }),
    );
  }

  /** Call it after the acknowledgement; until then the same markers stay due. */
  async note(reported: readonly DueGeneration[]): Promise<void> {
    const { database, eventsTopic } = this.#options;
    const clusterId = await this.#options.clusterId();
    await database.sql`
      INSERT INTO relay_generations (cluster_id, topic, shard, generation)
      SELECT ${clusterId}, ${eventsTopic}, * FROM unnest(
        ${plainArray(reported.map(({ shard }) => shard))}::smallint[], ${plainArray(reported.map(({ generation }) => generation))}::integer[])
      ON CONFLICT (cluster_id, topic, shard) DO UPDATE SET generation = greatest(relay_generations.generation, excluded.generation)`;
  }
}
