import { systemClock, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import type { KafkaConfig } from './config/kafka-config.ts';
import type { KafkaLink } from './link/kafka-link.ts';
import { createPostgresLog, type EventLog } from '@pulsewire/eventlog';

/** A log with what it holds open. */
export interface OpenLog extends EventLog {
  /** How it is with Kafka, for health; nothing where the log is read from Postgres. */
  readonly checks: KafkaLink['checks'];
  /** Looks after what the log needs until the signal. */
  watch?(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/**
 * The log that the settings ask for: read from Kafka when brokers are named, else straight from Postgres. Positions are the same rows
 * either way. The code of Kafka is loaded only when it is needed, and brokers that cannot be reached keep nobody from starting: the log is
 * read as soon as they can be. `link`: of a process that has one already, and looks after it. Throws AppError `config_invalid`.
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
