import type { ProviderSettings } from '@pulsewire/connections';
import type { Database } from '@pulsewire/database';
import type { KafkaConfig, KafkaLink } from '@pulsewire/kafka/lazy';
import type { Clock, Logger } from '@pulsewire/kernel';
import type { HealthSource, MetricsRegistry, Started } from '@pulsewire/runtime';
import { compose as composeApi } from '@pulsewire/service-api';
import { compose as composeDispatcher } from '@pulsewire/service-dispatcher';
import { compose as composeIngest } from '@pulsewire/service-ingest';
import { mountPages } from './mount-pages.ts';
import type { ServiceSettings } from './service-settings.ts';

/** What the services of one process share. */
export interface ServiceParts {
  /** The pool that every service uses. */
  readonly database: Database;
  readonly shutdownGraceMs: number;
  readonly providers: ProviderSettings;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly clock: Clock;
  readonly health: HealthSource;
}

export interface SharedServices {
  readonly dispatcher: Started;
  readonly ingest: Started;
  readonly api: Started;
  readonly url: string;
}

export const partsOf = ({ logger, metrics, clock, providers, database }: ServiceParts, part: string) => ({
  logger: logger.child({ part }),
  metrics,
  clock,
  providers,
  database,
});

/**
 * Builds the services whose work several processes can share, and starts to listen. `opened` receives what is to be closed, also after a
 * failure.
 */
export async function startSharedServices(
  options: ServiceParts & { readonly kafka: KafkaLink | null; readonly workers: number },
  settings: Pick<ServiceSettings, 'ingest' | 'dispatcher' | 'api' | 'isPortalOn'>,
  opened: { close?(): Promise<void> }[],
): Promise<SharedServices> {
  const { kafka, workers, health, shutdownGraceMs } = options;
  const ingest = await composeIngest(settings.ingest, partsOf(options, 'ingest'));
  opened.push(ingest);
  const dispatcher = await composeDispatcher(settings.dispatcher, {
    ...partsOf(options, 'dispatcher'),
    kafka: kafka ?? undefined,
    shutdownGraceMs,
  });
  opened.push(dispatcher);
  const { clock, logger } = options;
  const pages = { isPortalOn: settings.isPortalOn, secret: settings.api.linkTokenSecret, clock, logger: logger.child({ part: 'portal' }) };
  const api = await composeApi(settings.api, {
    ...partsOf(options, 'api'),
    health,
    mount: (app, { links }) => mountPages(app, links, pages),
    workers,
  });
  opened.push(api);
  const { url } = await api.listen();
  return { dispatcher, ingest, api: { workers: [api.worker] }, url };
}

/**
 * One Kafka link for the services of a process; null without brokers. `prepares`: creates topics and schemas first, because under
 * `npm start` nothing else deploys them. Does not wait: while brokers or registry are unavailable, everything else works.
 */
export async function openKafkaLink(
  { logger, metrics, clock }: ServiceParts,
  { config, prepares }: { readonly config: KafkaConfig; readonly prepares: boolean },
): Promise<KafkaLink | null> {
  if (config.kafkaBrokers.length === 0) return null;
  const { createKafkaLink } = await import('@pulsewire/kafka');
  return createKafkaLink({ config, logger: logger.child({ part: 'kafka' }), metrics, clock, prepares });
}

export const watchKafka = (kafka: KafkaLink): Started => ({
  workers: [{ name: 'kafka_watch', run: (signal: AbortSignal) => kafka.watch(signal) }],
  checks: kafka.checks,
});
