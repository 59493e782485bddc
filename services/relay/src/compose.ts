import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { AppError, errorCode, systemClock, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import { assertUsable, assertWritable, type Database, openOrShare } from '@pulsewire/database';
import type { KafkaLink } from '@pulsewire/kafka/lazy';
import type { ConfigOf, Started } from '@pulsewire/runtime';
import type { relayConfig } from './config.ts';

export type RelayServiceConfig = ConfigOf<typeof relayConfig>;

export interface RelayServiceParts {
  /** The pool of the process that this service is a part of; absent: one of its own. */
  readonly database?: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  /** Set by a process with several services that share one connection. */
  readonly kafka?: KafkaLink | undefined;
}

export interface RelayService extends Started {
  run(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/** Throws AppError `config_invalid` when no brokers are configured. */
export function assertBrokers({ kafkaBrokers }: Pick<RelayServiceConfig, 'kafkaBrokers'>): void {
  if (kafkaBrokers.length > 0) return;
  throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'The relay needs KAFKA_BROKERS' });
}

/**
 * Builds the process that publishes the log. It starts even while brokers and registry are unavailable, and publishes once they are
 * available. Throws AppError `config_invalid` when no brokers are configured.
 */
export async function compose(config: RelayServiceConfig, parts: RelayServiceParts): Promise<RelayService> {
  const { logger, metrics, clock = systemClock } = parts;
  assertBrokers(config);
  // Imported only here, so that an installation without Kafka never loads its client.
  const { createKafkaLink, runRelay } = await import('@pulsewire/kafka');
  const link = parts.kafka ?? (await createKafkaLink({ config, logger, metrics, clock }));
  const database = openOrShare(parts.database, {
    url: config.databaseUrl,
    name: 'pulsewire-relay',
    connectionsMax: config.databaseConnectionsMax,
  });
  try {
    await assertUsable(database);
    const run = async (stopping: AbortSignal) => {
      const kafka = await link.claim(database, stopping).catch((error: unknown) => {
        if (!stopping.aborted) throw error;
      });
      if (kafka === undefined) return;
      // Not fatal, because it waits for the registry as for brokers, but logged so that an operator sees at once what is missing.
      await kafka.writer.warmUp().catch((error: unknown) => logger.warn({ errorCode: errorCode(error) }, 'registry.warm_up_failed'));
      const memberId = `${hostname()}-${randomBytes(6).toString('hex')}`;
      await runRelay({ ...kafka, database, memberId, logger, metrics, clock, isCompressed: config.kafkaCompression === 'gzip' }, stopping);
    };
    // A second installation on the same topics is refused; an operator has to choose another prefix.
    const onFailure = (error: unknown) => (errorCode(error) === 'prefix_in_use' ? 'exit' : 'restart');
    const watch = { name: 'kafka_watch', run: (stopping: AbortSignal) => link.watch(stopping) };
    return {
      run,
      workers: [{ name: 'relay', run, onFailure }, ...(parts.kafka ? [] : [watch])],
      checks: [{ name: 'database', check: () => assertWritable(database) }, ...(parts.kafka ? [] : link.checks)],
      async close() {
        if (!parts.kafka) await link.close();
        await database.close();
      },
    };
  } catch (error) {
    if (!parts.kafka) await link.close();
    await database.close();
    throw error;
  }
}
