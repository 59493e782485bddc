import { AppError } from '@pulsewire/kernel';
import { withAdmin } from '../client/admin.ts';
import type { KafkaClient } from '../client/kafka-client.ts';

/** Number of partitions of a topic. Throws AppError `topic_missing` when there is no such topic. */
export async function partitionsOfTopic(client: KafkaClient, topic: string): Promise<number> {
  return withAdmin(client, 'a topic could not be looked at', async (admin) => {
    if (!(await admin.listTopics()).includes(topic)) {
      throw new AppError({
        code: 'topic_missing',
        kind: 'unavailable',
        message: 'A topic is missing; run `npm run admin -- topics create`',
        retryable: true,
        details: { topic },
      });
    }
    const { topics } = await admin.fetchTopicMetadata({ topics: [topic] });
    return topics[0]?.partitions.length ?? 0;
  });
}
