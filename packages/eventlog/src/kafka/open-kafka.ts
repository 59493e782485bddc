import { AppError, errorCode, type Logger, type Metrics } from '@pulsewire/kernel';
import pRetry from 'p-retry';
import { partitionsOfTopic } from './admin/topics-admin.ts';
import { createGuardedConsumer } from './client/guarded-consumer.ts';
import { createKafkaClient, type KafkaClient } from './client/kafka-client.ts';
import { createSafeProducer, type SafeProducer } from './client/safe-producer.ts';
import { connectionOf } from './connection-of.ts';
import { createEventWriter, type EventWriter } from './event-writer.ts';
import type { KafkaConfig } from './kafka-config.ts';
import type { ConsumerSource } from './log/consumer-port.ts';
import { createRegistry, type Registry } from './registry.ts';
import { topicNames } from './topics.ts';

/** Everything of Kafka that a process needs, open until `close`. */
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

/** For commands and jobs that somebody waits for. */
const startTries = 6;

/** Tries a while, because brokers and services often start together; says each time what does not answer. */
export async function patiently<T>(
  what: string,
  logger: Logger,
  { signal, tries = startTries }: { readonly signal?: AbortSignal | undefined; readonly tries?: number | undefined },
  work: () => Promise<T>,
): Promise<T> {
  if (tries === 0) return work();
  return pRetry(work, {
    retries: tries,
    minTimeout: 500,
    maxTimeout: 10_000,
    ...(signal === undefined ? {} : { signal }),
    shouldRetry: ({ error }) => !(error instanceof AppError) || error.retryable,
    onFailedAttempt: ({ error, retriesLeft }) => logger.warn({ what, code: errorCode(error), retriesLeft }, 'kafka.not_reached'),
  });
}

/** The registry of these settings. Throws AppError `config_invalid` when none is named. */
export function registryOf(config: KafkaConfig): Registry {
  if (config.schemaRegistryUrl === undefined)
    throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'KAFKA_BROKERS needs SCHEMA_REGISTRY_URL' });
  return createRegistry(config.schemaRegistryUrl);
}

/**
 * Connects to the brokers; `tries` more times than once, by default for about half a minute. Throws AppError `kafka_unavailable` or
 * `topic_missing`. A process that is to start without Kafka uses `createKafkaLink`.
 */
export async function openKafka(options: {
  readonly config: KafkaConfig;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly signal?: AbortSignal;
  readonly tries?: number;
}): Promise<OpenKafka> {
  const { config, logger, metrics } = options;
  const registry = registryOf(config);
  const client = createKafkaClient(await connectionOf(config), { logger });
  const names = topicNames(config.kafkaTopicPrefix);
  try {
    const partitions = await patiently(`KAFKA_BROKERS ${config.kafkaBrokers.join(',')}`, logger, options, () =>
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
