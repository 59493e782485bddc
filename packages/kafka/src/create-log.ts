import { systemClock, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import type { KafkaConfig } from './config/kafka-config.ts';
import type { KafkaLink } from './link/kafka-link.ts';
import { createPostgresLog, type EventLog } from '@pulsewire/eventlog';

/** A log with its open resources. */
export interface OpenLog extends EventLog {
  /** Kafka's state for health checks; empty when the log is read from Postgres. */
  readonly checks: KafkaLink['checks'];
  /** Watches what the log depends on until the signal. */
  watch?(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/**
 * The configured log: read from Kafka when brokers are set, otherwise from Postgres. Positions are the same rows
 * either way. The Kafka code is loaded only when needed, and unreachable brokers do not keep a process from starting: the log is
 * read as soon as they respond. `link`: an existing link, which the caller maintains. Throws AppError `config_invalid`.
 */
export async function createLog(options: {
  readonly config: KafkaConfig;
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  readonly link?: KafkaLink | undefined;
}): Promise<OpenLog> {
  const { config, database, logger, metrics, clock = systemClock } = options;
  if (config.kafkaBrokers.length === 0)
    return { ...createPostgresLog({ database, logger, metrics, clock }), checks: [], close: async () => {} };
  const { createDeferredLog, createKafkaLink, createKafkaLog } = await import('./index.ts');
  const link = options.link ?? (await createKafkaLink({ config, logger, metrics, clock }));
  const log = createDeferredLog(async (signal) => {
    const kafka = await link.claim(database, signal);
    return createKafkaLog({
      database,
      source: kafka.eventsSource,
      registry: kafka.registry,
      groupPrefix: config.kafkaTopicPrefix,
      logger,
      metrics,
      clock,
    });
  }, logger);
  if (options.link) return { ...log, checks: [], close: async () => {} };
  return { ...log, checks: link.checks, watch: (signal) => link.watch(signal), close: () => link.close() };
}
