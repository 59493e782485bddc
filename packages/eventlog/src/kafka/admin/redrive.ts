import type { Database } from '@pulsewire/database';
import { readEvents } from '../../read.ts';
import { topicNames } from '../topics.ts';
import { forgetPoison, listPoison } from '../poison.ts';
import type { EventWriter } from '../event-writer.ts';
import { encodeBatch } from '../relay/encode-batch.ts';
import { stampRecords } from '../relay/stamp-records.ts';
import type { RecordProducer } from '../relay/relay-sink.ts';

/** What became of the events that were set aside. */
export interface RedriveOutcome {
  readonly published: number;
  /** Still does not fit, with the reason of now. */
  readonly refused: number;
  /** Retention has dropped it from the log. */
  readonly gone: number;
}

const batchMax = 500;

/**
 * Publishes events that were set aside again, under the same id and sequence: they come behind later events of their user, so readers
 * compare the sequence. What cannot be published stays on the list; what the log does not have any more is taken off it.
 */
export async function redrivePoison(options: {
  readonly database: Database;
  readonly writer: EventWriter;
  readonly producer: RecordProducer;
  readonly topicPrefix: string;
}): Promise<RedriveOutcome> {
  const { database, producer } = options;
  const writer = await stampRecords(options.writer, database);
  const records = await listPoison(database, batchMax);
  const events = await readEvents(database, records);
  const present = new Set(events.map(({ shard, offset }) => `${shard}:${offset}`));
  const queued = events.map((event) => ({ event, epoch: 0 }));
  const batch = await encodeBatch(writer, topicNames(options.topicPrefix).events, 'redrive', queued);
  for (const [topic, list] of batch.records)
    await producer.send(
      topic,
      list.map(({ record }) => record),
    );
  const refused = new Set(batch.poison.map(({ shard, offset }) => `${shard}:${offset}`));
  const settled = records.filter(({ shard, offset }) => !refused.has(`${shard}:${offset}`));
  await forgetPoison(database, settled);
  return {
    published: events.length - refused.size,
    refused: refused.size,
    gone: records.filter(({ shard, offset }) => !present.has(`${shard}:${offset}`)).length,
  };
}
