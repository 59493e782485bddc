import type { KafkaClient } from '../kafka-client.ts';
import { kafkaUnavailable } from '../kafka-error.ts';
import { connectAs, fencingEpoch } from '../producer-identity.ts';
import type { KafkaRecord } from './partition-queues.ts';
import { withKafkaDeadline } from '../with-kafka-deadline.ts';

const fenceWithinMs = 20_000;

/**
 * Fences a producer in these partitions: writes a record under its id and the highest possible epoch, after which brokers reject whatever
 * it still sends, in-flight requests included. Resolves when each partition has acknowledged; idempotent. `records` have no meaning for
 * readers. Throws AppError `kafka_unavailable`.
 */
export async function fenceProducer(
  client: KafkaClient,
  producerId: string,
  recordsByTopic: ReadonlyMap<string, readonly KafkaRecord[]>,
): Promise<void> {
  const handle = client.producer({
    idempotent: true,
    allowAutoTopicCreation: false,
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition ?? 0,
  });
  try {
    const work = async () => {
      await connectAs({ producerId, epoch: fencingEpoch }, () => handle.api.connect());
      const metadata = await handle.api.sendBatch({
        acks: -1,
        topicMessages: [...recordsByTopic].map(([topic, records]) => ({
          topic,
          messages: records.map((record) => ({ ...record, headers: { ...record.headers } })),
        })),
      });
      const done = new Set(
        metadata.filter(({ errorCode }) => errorCode === 0).map(({ topicName, partition }) => `${topicName}/${partition}`),
      );
      const isMissing = [...recordsByTopic].some(([topic, records]) => records.some(({ partition }) => !done.has(`${topic}/${partition}`)));
      if (isMissing) throw kafkaUnavailable('a producer was not fenced in every partition');
    };
    await withKafkaDeadline(fenceWithinMs, work());
  } catch (cause) {
    throw kafkaUnavailable('a producer was not fenced', cause);
  } finally {
    await handle.close(1_000);
  }
}
