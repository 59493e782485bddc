import { systemClock, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import type { KafkaConfig } from './kafka/kafka-config.ts';
import { createPostgresLog } from './postgres-log.ts';
import type { EventLog } from './types.ts';

export { createSegmentRoller, type SegmentRoller } from './create-segment-roller.ts';
export { kafkaConfig, type KafkaConfig } from './kafka/kafka-config.ts';

/** A log with what it holds open. */
export interface OpenLog extends EventLog {
  close(): Promise<void>;
}

/**
 * The log that the settings ask for: read from Kafka when brokers are named, else straight from Postgres. Positions are the same rows
 * either way. The code of Kafka is loaded only when it is needed.
 */
export async function createLog(options: {
  readonly config: KafkaConfig;
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}): Promise<OpenLog> {
  const { config, database, logger, metrics, clock = systemClock } = options;
  if (config.kafkaBrokers.length === 0) return { ...createPostgresLog({ database, logger, metrics, clock }), close: async () => {} };
  const { createKafkaLog, openKafka } = await import('./kafka/index.ts');
  const kafka = await openKafka(options);
  const log = createKafkaLog({
    database,
    source: kafka.eventsSource,
    registry: kafka.registry,
    groupPrefix: config.kafkaTopicPrefix,
    logger,
    metrics,
    clock,
  });
  return { ...log, close: () => kafka.close() };
}
