import { plainArray, type Database, type Tx } from '@pulsewire/database';
import { readEvents, readShardCount, relatedShards } from '@pulsewire/eventlog';
import { topicNames } from '../records/topics.ts';
import { forgetPoison, listPoison, type PoisonRecord } from '../records/poison.ts';
import type { EventWriter } from '../records/event-writer.ts';
import { encodeBatch } from '../relay/encode-batch.ts';
import { stampRecords } from '../relay/stamp-records.ts';
import type { RecordProducer } from '../relay/relay-sink.ts';
import { addNewestOffsets } from './newest-state-offsets.ts';

/** Result of publishing the events that were set aside. */
export interface RedriveOutcome {
  readonly published: number;
  /** Of these, published on the event topic alone: the log has something newer of their summary or connection. */
  readonly superseded: number;
  /** Still does not fit; the stored reason is updated. */
  readonly refused: number;
  /** Retention has dropped it from the log. */
  readonly gone: number;
}

interface RedriveOptions {
  readonly database: Database;
  readonly writer: EventWriter;
  readonly producer: RecordProducer;
  readonly topicPrefix: string;
}

const batchMax = 500;

/**
 * Publishes events that were set aside again, under the same id and sequence: they come behind later events of their user, so readers
 * compare the sequence. A compacted topic gets one only where it is the newest of its key. What cannot be published stays on the list;
 * what the log does not have any more is taken off it.
 */
export async function redrivePoison(options: RedriveOptions): Promise<RedriveOutcome> {
  const writer = await stampRecords(options.writer, options.database);
  const records = await listPoison(options.database, batchMax);
  const sum = { published: 0, superseded: 0, refused: 0, gone: 0 };
  for (const [shard, ofShard] of Map.groupBy(records, (record) => record.shard)) {
    const outcome = await options.database.transaction((tx) => redriveShard({ ...options, writer }, tx, shard, ofShard));
    for (const name of Object.keys(sum) as (keyof RedriveOutcome)[]) sum[name] += outcome[name];
  }
  return sum;
}

async function redriveShard(
  { writer, producer, topicPrefix }: RedriveOptions,
  tx: Tx,
  shard: number,
  records: readonly PoisonRecord[],
): Promise<RedriveOutcome> {
  // Nothing is appended to the shard until this is acknowledged, so nothing newer than what is looked at can be published meanwhile.
  // Its users may have moved on to a shard that was split from it.
  const shards = relatedShards(shard, await readShardCount(tx));
  await tx.sql`SELECT 1 FROM log_shards WHERE shard = ANY(${plainArray(shards)}::smallint[]) ORDER BY shard FOR UPDATE`;
  const names = topicNames(topicPrefix);
  const events = await readEvents(tx, records);
  const queued = events.map((event) => ({ event, shard, epoch: 0 }));
  const batch = await encodeBatch(writer, names.events, 'redrive', queued);
  const newest = new Map<string, number>();
  const users = [...new Set(events.flatMap(({ userId }) => userId ?? []))];
  const from = events.reduce((least, { offset }) => Math.min(least, offset), Number.MAX_SAFE_INTEGER);
  for (const one of shards) await addNewestOffsets(tx, { shard: one, users, from, names }, newest);
  const superseded = new Set<string>();
  for (const [topic, list] of batch.records) {
    const kept = list.filter(({ source, record }) => {
      const isNewest = topic === names.events || (newest.get(`${topic}\n${record.key}`) ?? -1) <= source.event.offset;
      if (!isNewest) superseded.add(source.event.eventId);
      return isNewest;
    });
    await producer.send(
      topic,
      kept.map(({ record }) => record),
    );
  }
  const present = new Set(events.map(({ offset }) => offset));
  const refused = new Set(batch.poison.map(({ offset }) => offset));
  await forgetPoison(
    tx,
    records.filter(({ offset }) => !refused.has(offset)),
  );
  return {
    published: events.length - refused.size,
    superseded: superseded.size,
    refused: refused.size,
    gone: records.filter(({ offset }) => !present.has(offset)).length,
  };
}
