import path from 'node:path';
import type { Clock, Logger } from '@pulsewire/kernel';
import type { ProviderSettings } from '@pulsewire/connections';
import { apiConfigFields, compose as composeApi, type Api } from '@pulsewire/service-api';
import { linkPageRoutes } from '@pulsewire/service-console';
import { compose as composeDispatcher, dispatcherConfig } from '@pulsewire/service-dispatcher';
import { compose as composeReportParser, reportParserConfig } from '@pulsewire/service-report-parser';
import { compose as composeIngest, ingestConfig } from '@pulsewire/service-ingest';
import { compose as composeScheduler, schedulerConfig } from '@pulsewire/service-scheduler';
import { kafkaConfig, type KafkaConfig, type KafkaLink } from '@pulsewire/kafka/lazy';
import { compose as composeRelay, relayConfig } from '@pulsewire/service-relay';
import { vaultConfig, type Database, type EncryptionConfig, type VaultConfig } from '@pulsewire/database';
import { loadConfig, type HealthSource, type MetricsRegistry, type ReadinessCheck, type Started, type Worker } from '@pulsewire/runtime';
import type { InstallationKeys } from './installation/keys.ts';

export interface ServicesOptions {
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** The pool that every service uses. */
  readonly database: Database;
  readonly connectionsMax: number;
  readonly host: string;
  readonly port: number;
  /** Our address as browsers and providers reach it. */
  readonly baseUrl: string;
  readonly keys: InstallationKeys;
  readonly allowedNetworks: readonly string[];
  readonly providers: ProviderSettings;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly clock: Clock;
  readonly health: HealthSource;
  readonly kafka: KafkaConfig;
  readonly encryption: EncryptionConfig;
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
  const { keys, logger, metrics, clock, providers, database, connectionsMax } = options;
  const env = {
    DATABASE_URL: options.databaseUrl,
    ENCRYPTION_KEYS: keys.encryptionKeys,
    ERASURES_FILE: path.join(options.dataDir, 'erasures.jsonl'),
    LINK_TOKEN_SECRET: keys.linkTokenSecret,
    HOST: options.host,
    PORT: String(options.port),
    WEBHOOK_ALLOWED_NETWORKS: options.allowedNetworks.join(','),
    BASE_URL: options.baseUrl,
    PROVIDER_LOGO_BASE_URL: `${options.baseUrl}/logos`,
    DATABASE_CONNECTIONS_MAX: String(connectionsMax),
    ...vaultEnvironment(options.encryption),
  };
  const parts = (part: string) => ({ logger: logger.child({ part }), metrics, clock, providers, database });
  // Each job holds two connections, and the other parts need theirs.
  const jobsMax = Math.max(1, Math.floor(connectionsMax / 6));
  const opened: { close?(): Promise<void> }[] = [];
  const closeAll = async () => {
    for (const service of opened.toReversed()) await service.close?.();
  };
  try {
    const scheduler = await composeScheduler(
      { ...loadConfig(schedulerConfig, env), ...kafkaSettings(options.kafka) },
      { ...parts('scheduler'), jobsMax },
    );
    opened.push(scheduler);
    const ingest = await composeIngest(loadConfig(ingestConfig, env), parts('ingest'));
    opened.push(ingest);
    const reportParser = await composeReportParser(loadConfig(reportParserConfig, env), parts('report-parser'));
    opened.push(reportParser);
    const kafka = await openKafkaLink(options);
    if (kafka) opened.push(kafka);
    const relay =
      kafka && (await composeRelay({ ...loadConfig(relayConfig, env), ...kafkaSettings(options.kafka) }, { ...parts('relay'), kafka }));
    if (relay) opened.push(relay);
    const dispatcher = await composeDispatcher(
      { ...loadConfig(dispatcherConfig, env), ...kafkaSettings(options.kafka) },
      { ...parts('dispatcher'), kafka: kafka ?? undefined },
    );
    opened.push(dispatcher);
    const api = await composeApi(loadConfig(apiConfigFields, env), {
      ...parts('api'),
      health: options.health,
      mount: linkPageRoutes,
    });
    opened.push(api);
    const { url } = await api.listen();
    // In the order of the data flow; stopped in reverse, so that no new work arrives while work in progress ends.
    const watch = kafka && { workers: [{ name: 'kafka_watch', run: (signal: AbortSignal) => kafka.watch(signal) }], checks: kafka.checks };
    const started: readonly Started[] = [...(watch ? [watch] : []), dispatcher, ...(relay ? [relay] : []), ingest, reportParser, scheduler];
    return {
      api,
      url,
      workers: [...started.flatMap((service) => service.workers), api.partnerJobs, api.worker],
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

/** The KMS settings, as read by the services. */
function vaultEnvironment(config: VaultConfig): Record<string, string> {
  const names = Object.keys(vaultConfig) as (keyof VaultConfig)[];
  return Object.fromEntries(names.flatMap((name) => (config[name] === undefined ? [] : [[vaultConfig[name].env, config[name]]])));
}

/** Selects only Kafka's settings from a configuration. */
function kafkaSettings(config: KafkaConfig): KafkaConfig {
  const names = new Set(Object.keys(kafkaConfig));
  return Object.fromEntries(Object.entries(config).filter(([name]) => names.has(name))) as unknown as KafkaConfig;
}
