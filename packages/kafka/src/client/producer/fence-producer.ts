import type { KafkaClient } from '../kafka-client.ts';
import { kafkaUnavailable } from '../kafka-error.ts';
import { connectAs, fencingEpoch } from '../producer-identity.ts';
import type { KafkaRecord } from './record-lanes.ts';
import { within } from '../within.ts';

const fenceWithinMs = 20_000;

/**
 * Ends a producer in these partitions: a record under its id and the highest epoch there is, after which brokers refuse whatever it still
 * sends, also what is on its way already. Resolves when each partition has acknowledged; repeating it does no harm. `records` say nothing
 * to readers. Throws AppError `kafka_unavailable`.
 */
export async function fenceProducer(
  client: KafkaClient,
  producerId: string,
  places: ReadonlyMap<string, readonly KafkaRecord[]>,
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
        topicMessages: [...places].map(([topic, records]) => ({
          topic,
          messages: records.map((record) => ({ ...record, headers: { ...record.headers } })),
        })),
      });
      const done = new Set(
        metadata.filter(({ errorCode }) => errorCode === 0).map(({ topicName, partition }) => `${topicName}/${partition}`),
      );
      const isMissing = [...places].some(([topic, records]) => records.some(({ partition }) => !done.has(`${topic}/${partition}`)));
      if (isMissing) throw kafkaUnavailable('a producer was not fenced in every partition');
    };
    await within(fenceWithinMs, work());
  } catch (cause) {
    throw kafkaUnavailable('a producer was not fenced', cause);
  } finally {
    await handle.close(1_000);
  }
}
