import { randomBytes } from 'node:crypto';
import { bareKafka } from '../../../support/kafka/use-kafka.ts';

export interface ReadMessage {
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  readonly value: Buffer | null;
  readonly headers: Record<string, string>;
}

/** The first `count` records of a topic as a plain consumer sees them, ordered by partition and offset. */
export async function readAll(brokers: readonly string[], topic: string, count: number): Promise<ReadMessage[]> {
  const consumer = bareKafka(brokers).consumer({ groupId: `read.${randomBytes(5).toString('hex')}`, maxWaitTimeInMs: 100 });
  const read: ReadMessage[] = [];
  await consumer.connect();
  try {
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await new Promise<void>((resolve, reject) => {
      consumer
        .run({
          autoCommit: false,
          eachMessage: async ({ partition, message }) => {
            const headers = Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)] as const);
            read.push({
              partition,
              offset: Number(message.offset),
              key: String(message.key),
              value: message.value && Buffer.from(message.value),
              headers: Object.fromEntries(headers),
            });
            if (read.length === count) resolve();
          },
        })
        .catch(reject);
    });
  } finally {
    await consumer.disconnect();
  }
  return read.sort((a, b) => a.partition - b.partition || a.offset - b.offset);
}
