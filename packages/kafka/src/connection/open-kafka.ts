import type { Logger, Metrics } from '@pulsewire/kernel';
import { createGuardedConsumer } from '../client/consumer/guarded-consumer.ts';
import { createKafkaClient, type KafkaClient } from '../client/kafka-client.ts';
import { createSafeProducer, type SafeProducer } from '../client/producer/safe-producer.ts';
import type { KafkaConfig } from '../config/kafka-config.ts';
import { connectionOf } from './connection-of.ts';
import { partitionsOfTopic } from './partitions-of-topic.ts';
import { registryOf } from './registry-of.ts';
import { retryAtStart, type StartRetryOptions } from './retry-at-start.ts';
import type { ConsumerSource } from '../consumption/consumer-port.ts';
import { createEventWriter, type EventWriter } from '../records/event-writer.ts';
import type { Registry } from '../records/schema-registry.ts';
import { topicNames } from '../records/topics.ts';

/** All Kafka resources of a process, open until `close`. */
export interface OpenKafka {
  readonly client: KafkaClient;
  readonly registry: Registry;
  readonly names: ReturnType<typeof topicNames>;
  /** Partitions of the event topic. */
  readonly partitions: number;
  readonly eventsSource: ConsumerSource;
  readonly writer: EventWriter;
  createProducer(): SafeProducer;
  close(): Promise<void>;
}

/**
 * Connects to the brokers, with retries. Throws AppError `kafka_unavailable` or `topic_missing`. A process that must start while Kafka is
 * unreachable uses `createKafkaLink`.
 */
export async function openKafka(
  options: {
    readonly config: KafkaConfig;
    readonly logger: Logger;
    readonly metrics: Metrics;
  } & StartRetryOptions,
): Promise<OpenKafka> {
  const { config, logger, metrics } = options;
  const registry = registryOf(config);
  const client = createKafkaClient(await connectionOf(config), { logger });
  const names = topicNames(config.kafkaTopicPrefix);
  try {
    const partitions = await retryAtStart(`KAFKA_BROKERS ${config.kafkaBrokers.join(',')}`, logger, options, () =>
      partitionsOfTopic(client, names.events),
    );
    return {
      client,
      registry,
      names,
      partitions,
      writer: createEventWriter({ registry, topicPrefix: config.kafkaTopicPrefix, partitions }),
      eventsSource: {
        partitions: async () => partitions,
        open: async (groupId, handlers) => createGuardedConsumer(client, { groupId, topic: names.events, ...handlers }),
      },
      createProducer: () => createSafeProducer(client, { metrics }),
      close: () => client.close(),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}
