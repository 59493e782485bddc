import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { AppError, errorCode, systemClock, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import { migrate, openDatabase } from '@pulsewire/database';
import type { ConfigOf, Started } from '@pulsewire/runtime';
import type { relayConfig } from './config.ts';

export type RelayServiceConfig = ConfigOf<typeof relayConfig>;

export interface RelayServiceParts {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

export interface RelayService extends Started {
  run(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Builds the process that publishes the log. Throws AppError `config_invalid` without brokers: then there is nothing to relay. */
export async function compose(config: RelayServiceConfig, parts: RelayServiceParts): Promise<RelayService> {
  const { logger, metrics, clock = systemClock, signal } = parts;
  if (config.kafkaBrokers.length === 0)
    throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'The relay needs KAFKA_BROKERS' });
  // Only here, so that an installation without Kafka never loads its client.
  const { openKafka, runRelay } = await import('@pulsewire/eventlog/kafka');
  const database = openDatabase({ url: config.databaseUrl, name: 'pulsewire-relay', connectionsMax: config.databaseConnectionsMax });
  try {
    await migrate(database);
    const kafka = await openKafka({ config, logger, metrics, ...(signal === undefined ? {} : { signal }) });
    // Not fatal: it waits for the registry as it waits for brokers. But whoever starts it should see at once what is missing.
    await kafka.writer.warmUp().catch((error: unknown) => logger.warn({ code: errorCode(error) }, 'registry.not_ready'));
    const producer = kafka.createProducer();
    const run = (stopping: AbortSignal) =>
      runRelay(
        {
          database,
          producer,
          writer: kafka.writer,
          eventsTopic: kafka.names.events,
          memberId: `${hostname()}-${randomBytes(6).toString('hex')}`,
          logger,
          metrics,
          clock,
        },
        stopping,
      );
    return {
      run,
      workers: [{ name: 'relay', run }],
      checks: [{ name: 'database', check: async () => void (await database.sql`SELECT 1`) }],
      async close() {
        await producer.close();
        await kafka.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
