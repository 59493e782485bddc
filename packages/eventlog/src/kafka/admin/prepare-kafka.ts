import type { Logger } from '@pulsewire/kernel';
import { withAdmin } from '../client/admin.ts';
import { createKafkaClient } from '../client/kafka-client.ts';
import type { KafkaConfig } from '../kafka-config.ts';
import { connectionOf, patiently, registryOf } from '../open-kafka.ts';
import { topicCatalogue } from '../topics.ts';
import { registerSchemas } from './schemas-admin.ts';
import { createTopics } from './topics-admin.ts';

/**
 * Does both steps of a deployment, for an installation that is one process: makes missing topics and registers the schemas.
 * Where there are fewer brokers than copies are asked for, it makes do with them and says so.
 */
export async function prepareKafka(
  config: KafkaConfig,
  logger: Logger,
  waiting: { readonly signal?: AbortSignal; readonly tries?: number } = {},
): Promise<void> {
  const registry = registryOf(config);
  const client = createKafkaClient(await connectionOf(config), { logger });
  try {
    const brokers = await patiently('KAFKA_BROKERS', logger, waiting, () =>
      withAdmin(client, 'brokers could not be counted', async (admin) => (await admin.describeCluster()).brokers.length),
    );
    const kafkaReplication = Math.min(config.kafkaReplication, brokers);
    if (kafkaReplication < config.kafkaReplication) logger.warn({ brokers, wanted: config.kafkaReplication }, 'kafka.fewer_copies');
    await createTopics(client, topicCatalogue({ ...config, kafkaReplication }));
    await patiently('SCHEMA_REGISTRY_URL', logger, waiting, () => registerSchemas(registry, config.kafkaTopicPrefix));
  } finally {
    await client.close();
  }
}
