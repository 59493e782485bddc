import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { systemClock, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import type { TransformContext } from '@pulsewire/contract';
import {
  assertUsable,
  assertWritable,
  type Database,
  configuredKeys,
  type EncryptionConfig,
  openCipher,
  openOrShare,
} from '@pulsewire/database';
import { createLog, type KafkaLink } from '@pulsewire/kafka/lazy';
import { createAddressGuard, createWebhookSender } from '@pulsewire/outbound';
import { findIdentity, providerRef } from '@pulsewire/providers';
import type { ConfigOf, Started } from '@pulsewire/runtime';
import { createDispatcher, webhookSealedColumns, type Dispatcher, type Tuning } from '@pulsewire/webhooks';
import { attemptGraceMs } from './attempt-grace.ts';
import type { dispatcherConfig } from './config.ts';

export type DispatcherServiceConfig = Omit<ConfigOf<typeof dispatcherConfig>, keyof EncryptionConfig> & EncryptionConfig;

export interface DispatcherServiceParts {
  /** The pool of the process that this service is a part of; absent: one of its own. */
  readonly database?: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  readonly tuning?: Partial<Tuning>;
  /** Time in which the process must have stopped; see `attemptGraceMs`. */
  readonly shutdownGraceMs?: number;
  /** Set by a process with several services that share one connection. */
  readonly kafka?: KafkaLink | undefined;
}

export interface DispatcherService extends Started {
  run(signal: AbortSignal): Promise<void>;
  stats(): ReturnType<Dispatcher['stats']>;
  close(): Promise<void>;
}

function providerFacts(logoBaseUrl: string): TransformContext['findProvider'] {
  return (slug) => {
    const provider = findIdentity(slug);
    return provider && { name: provider.name, sourceId: provider.sourceId, logo: providerRef(provider, logoBaseUrl).logo };
  };
}

/** Builds the dispatcher process: database, webhook sender and worker. */
export async function compose(config: DispatcherServiceConfig, parts: DispatcherServiceParts): Promise<DispatcherService> {
  const { logger, metrics, clock = systemClock, tuning, shutdownGraceMs = Infinity } = parts;
  const database = openOrShare(parts.database, {
    url: config.databaseUrl,
    name: 'pulsewire-dispatcher',
    connectionsMax: config.databaseConnectionsMax,
  });
  try {
    await assertUsable(database);
    const cipher = await openCipher(database, configuredKeys(database, config), webhookSealedColumns);
    const guard = createAddressGuard({ allowedNetworks: config.allowedNetworks });
    const sender = createWebhookSender({ guard, totalTimeoutMs: config.timeoutMs, clock });
    const log = await createLog({ config, database, logger, metrics, clock, link: parts.kafka });
    const dispatcher = createDispatcher({
      database,
      log,
      cipher,
      sender,
      clock,
      logger,
      metrics,
      // New at every start: leases of an earlier run of this process expire, and others take over its rows.
      memberId: `${hostname()}-${randomBytes(6).toString('hex')}`,
      findProvider: providerFacts(config.logoBaseUrl),
      tuning: {
        inFlightMax: config.endpointConcurrency,
        inFlightTotalMax: config.concurrency,
        unrecordedMax: config.unrecordedEventsMax,
        attemptMsMax: config.timeoutMs,
        graceMs: attemptGraceMs({ timeoutMs: config.timeoutMs, shutdownGraceMs }),
        // A claimed row waits in its endpoint queue before its attempt begins.
        leaseMs: Math.max(60_000, 4 * config.timeoutMs),
        ...tuning,
      },
    });
    const run = (signal: AbortSignal) => dispatcher.run(signal);
    return {
      run,
      stats: () => dispatcher.stats(),
      workers: [{ name: 'dispatcher', run }, ...(log.watch ? [{ name: 'kafka_watch', run: log.watch }] : [])],
      checks: [{ name: 'database', check: () => assertWritable(database) }, ...log.checks],
      async close() {
        await sender.close();
        await log.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
