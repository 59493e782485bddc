import type { Clock, Logger } from '@pulsewire/kernel';
import type { ProviderSettings } from '@pulsewire/connections';
import { compose as composeApi, type Api } from '@pulsewire/service-api';
import { linkPageRoutes } from '@pulsewire/service-console';
import { compose as composeDispatcher } from '@pulsewire/service-dispatcher';
import { compose as composeLabs } from '@pulsewire/service-labs';
import { compose as composeReportParser } from '@pulsewire/service-report-parser';
import { compose as composeIngest } from '@pulsewire/service-ingest';
import { compose as composeScheduler } from '@pulsewire/service-scheduler';
import type { KafkaConfig, KafkaLink } from '@pulsewire/kafka/lazy';
import { compose as composeRelay } from '@pulsewire/service-relay';
import type { Database } from '@pulsewire/database';
import type { HealthSource, MetricsRegistry, ReadinessCheck, Started, Worker } from '@pulsewire/runtime';
import { readServiceSettings, type GivenSettings } from './service-settings.ts';

export interface ServicesOptions {
  /** The pool that every service uses. */
  readonly database: Database;
  readonly connectionsMax: number;
  /** Variables of the services whose values this process determines. */
  readonly given: GivenSettings;
  readonly shutdownGraceMs: number;
  readonly providers: ProviderSettings;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly clock: Clock;
  readonly health: HealthSource;
  readonly kafka: KafkaConfig;
}

export interface Services {
  readonly api: Api;
  readonly url: string;
  readonly workers: readonly Worker[];
  readonly checks: readonly ReadinessCheck[];
  close(): Promise<void>;
}

/** Builds every service in this process, each as in a process of its own, and starts to listen. */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const { logger, metrics, clock, providers, database, connectionsMax } = options;
  const settings = readServiceSettings(options.given);
  const parts = (part: string) => ({ logger: logger.child({ part }), metrics, clock, providers, database });
  // Each job holds two connections, and the other parts need theirs.
  const jobsMax = Math.max(1, Math.floor(connectionsMax / 6));
  const opened: { close?(): Promise<void> }[] = [];
  const closeAll = async () => {
    for (const service of opened.toReversed()) await service.close?.();
  };
  try {
    const scheduler = await composeScheduler(settings.scheduler, { ...parts('scheduler'), jobsMax });
    opened.push(scheduler);
    const ingest = await composeIngest(settings.ingest, parts('ingest'));
    opened.push(ingest);
    const labs = await composeLabs(settings.labs, parts('labs'));
    opened.push(labs);
    const reportParser = await composeReportParser(settings.reportParser, parts('report-parser'));
    opened.push(reportParser);
    const kafka = await openKafkaLink(options);
    if (kafka) opened.push(kafka);
    const relay = kafka && (await composeRelay(settings.relay, { ...parts('relay'), kafka }));
    if (relay) opened.push(relay);
    const dispatcher = await composeDispatcher(settings.dispatcher, {
      ...parts('dispatcher'),
      kafka: kafka ?? undefined,
      shutdownGraceMs: options.shutdownGraceMs,
    });
    opened.push(dispatcher);
    const api = await composeApi(settings.api, {
      ...parts('api'),
      health: options.health,
      mount: linkPageRoutes,
    });
    opened.push(api);
    const { url } = await api.listen();
    // In the order of the data flow; stopped in reverse, so that no new work arrives while work in progress ends.
    const watch = kafka && { workers: [{ name: 'kafka_watch', run: (signal: AbortSignal) => kafka.watch(signal) }], checks: kafka.checks };
    const started: readonly Started[] = [
      ...(watch ? [watch] : []),
      dispatcher,
      ...(relay ? [relay] : []),
      ingest,
      labs,
      reportParser,
      scheduler,
    ];
    return {
      api,
      url,
      workers: [...started.flatMap((service) => service.workers), api.worker],
      checks: started.flatMap((service) => service.checks ?? []),
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/**
 * One Kafka link for relay and dispatcher; null without brokers. Creates topics and schemas first, because under `npm start` nothing else
 * deploys them. Does not wait: while brokers or registry are unavailable, everything else works.
 */
async function openKafkaLink({ kafka, logger, metrics, clock }: ServicesOptions): Promise<KafkaLink | null> {
  if (kafka.kafkaBrokers.length === 0) return null;
  const { createKafkaLink } = await import('@pulsewire/kafka');
  return createKafkaLink({ config: kafka, logger: logger.child({ part: 'kafka' }), metrics, clock, prepares: true });
}
