import { plainArray, type Database, type Tx } from '@pulsewire/database';
import { readEvents, readShardCount, relatedShards } from '@pulsewire/eventlog';
import { topicNames } from '../records/topics.ts';
import { forgetPoison, listPoison, type PoisonRecord } from '../records/poison.ts';
import type { EventWriter } from '../records/event-writer.ts';
import { encodeBatch } from '../relay/encode-batch.ts';
import { stampRecords } from '../relay/stamp-records.ts';
import type { RecordProducer } from '../relay/relay-sink.ts';
import { addNewestOffsets } from './newest-state-offsets.ts';

/** Result of publishing the poison records again. */
export interface RedriveOutcome {
  readonly published: number;
  /** Of these, events published only on the event topic: the log has a newer event for their summary or connection. */
  readonly superseded: number;
  /** Events that still do not fit their schema; the stored reason is updated. */
  readonly refused: number;
  /** Events that retention has dropped from the log. */
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
 * Publishes poison events again, under the same id and sequence: they follow later events of their user, so readers compare the sequence. A
 * compacted topic gets one only if it is the newest of its key. Events that cannot be published stay on the list; events that are no longer
 * in the log are removed from it.
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
  // Nothing is appended to the shard until this is acknowledged, so no newer event can be published in the meantime. Its users may have
  // moved on to a shard that was split from it.
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
