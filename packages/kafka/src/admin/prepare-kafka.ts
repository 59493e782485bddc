import { AppError, type Logger } from '@pulsewire/kernel';
import { registerSchemas } from './schemas-admin.ts';
import { checkTopics, createTopics, type TopicFinding } from './topics-admin.ts';
import { withAdmin } from '../client/admin.ts';
import { createKafkaClient, type KafkaClient } from '../client/kafka-client.ts';
import type { KafkaConfig } from '../config/kafka-config.ts';
import { connectionOf } from '../connection/connection-of.ts';
import { registryOf } from '../connection/registry-of.ts';
import { retryAtStart, type StartRetryOptions } from '../connection/retry-at-start.ts';
import { topicCatalogue, type Topic } from '../records/topics.ts';

/**
 * Throws AppError `partitions_unfit` when a log on a topic of this many partitions cannot get more shards. The partition of a shard is
 * `shard % partitions`: with a power of two, a user who continues in a new shard stays in the partition or moves to exactly the one that
 * tombstones and readers look into. With any other number the user's events would be scattered over partitions that are never searched.
 */
export function assertReshardable(partitions: number): void {
  if (Number.isInteger(Math.log2(partitions))) return;
  throw new AppError({
    code: 'partitions_unfit',
    kind: 'conflict',
    message: `The event topic has ${partitions} partitions; the number of shards can be changed only with a power of two (1, 2, 4, 8, 16, 32, 64, …). Publish to topics with another KAFKA_TOPIC_PREFIX and such a number of partitions first`,
  });
}

/** The topics of these settings, with replication limited to the number of brokers. */
export async function topicsForCluster(
  client: KafkaClient,
  config: Pick<KafkaConfig, 'kafkaTopicPrefix' | 'kafkaPartitions' | 'kafkaReplication' | 'kafkaRetentionHours'>,
): Promise<{ readonly topics: readonly Topic[]; readonly brokers: number; readonly copies: number }> {
  const brokers = await withAdmin(client, 'brokers could not be counted', async (admin) => (await admin.describeCluster()).brokers.length);
  const copies = Math.min(config.kafkaReplication, brokers);
  return { topics: topicCatalogue({ ...config, kafkaReplication: copies }), brokers, copies };
}

/**
 * Differences between the topics and the settings; empty when they agree. On a cluster with fewer brokers than the requested replication,
 * one replica per broker is enough.
 */
export async function checkClusterTopics(client: KafkaClient, config: KafkaConfig): Promise<readonly TopicFinding[]> {
  const findings = await checkTopics(client, topicCatalogue(config));
  if (findings.length === 0) return findings;
  // Checked second: a temporarily unavailable broker does not invalidate a topic that has all its replicas.
  const { topics, copies } = await topicsForCluster(client, config);
  return copies === config.kafkaReplication ? findings : checkTopics(client, topics);
}

/**
 * Performs both deployment steps for a single-process installation: creates missing topics and registers the schemas.
 * With fewer brokers than the requested replication, it uses one replica per broker and logs a warning.
 */
export async function prepareKafka(config: KafkaConfig, logger: Logger, retries: StartRetryOptions = {}): Promise<void> {
  const registry = registryOf(config);
  const client = createKafkaClient(await connectionOf(config), { logger });
  try {
    const { topics, brokers, copies } = await retryAtStart('KAFKA_BROKERS', logger, retries, () => topicsForCluster(client, config));
    const made = await createTopics(client, topics);
    if (made.length > 0 && copies < config.kafkaReplication)
      logger.warn({ brokers, wanted: config.kafkaReplication }, 'kafka.replication_reduced');
    await retryAtStart('SCHEMA_REGISTRY_URL', logger, retries, () => registerSchemas(registry, config.kafkaTopicPrefix));
  } finally {
    await client.close();
  }
}
