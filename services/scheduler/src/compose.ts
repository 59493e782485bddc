import { AppError, systemClock, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import { connectionSealedColumns, createCustody, manualProviders, type ProviderSettings } from '@pulsewire/connections';
import {
  assertUsable,
  assertWritable,
  type Database,
  configuredKeys,
  type EncryptionConfig,
  openCipher,
  openOrShare,
} from '@pulsewire/database';
import { createSegmentRoller, type KafkaConfig } from '@pulsewire/kafka/lazy';
import { createUnsubscribing, ingestSealedColumns, openJobs } from '@pulsewire/ingest';
import { createHttpClient } from '@pulsewire/outbound';
import { connectors, withoutConnector } from '@pulsewire/providers';
import type { Started } from '@pulsewire/runtime';
import { createScheduler, type Scheduler } from './schedule/create-scheduler.ts';
import { allJobs } from './jobs/all-jobs.ts';
import type { Retention } from './schedule/scheduled-job.ts';

export interface SchedulerServiceConfig extends Retention, EncryptionConfig, Partial<KafkaConfig> {
  readonly erasuresFile?: string | undefined;
  readonly packAfterDays?: number | undefined;
  readonly databaseUrl: string;
  readonly databaseConnectionsMax?: number;
}

export interface SchedulerServiceParts {
  /** The pool of the process that this service is a part of; absent: one of its own. */
  readonly database?: Database;
  readonly providers: Pick<ProviderSettings, 'connectorFor' | 'platformApplication'>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  /** Jobs that run at the same time; default: as many as the pool has connections for. */
  readonly jobsMax?: number;
}

export interface SchedulerService extends Started, Scheduler {
  close(): Promise<void>;
}

const connectionsDefault = 15;

/** Each running job has a connection for its lock and one to work with; one more is spare. */
const jobsIn = (connectionsMax: number) => Math.max(1, Math.floor((connectionsMax - 1) / 2));

/** Throws AppError `config_invalid` for periods that contradict each other. */
export function checkRetention({ vaultDays, receiptsDays }: Pick<Retention, 'vaultDays' | 'receiptsDays'>): void {
  if (vaultDays <= receiptsDays) return;
  throw new AppError({
    code: 'config_invalid',
    kind: 'invalid',
    message: 'Invalid configuration',
    details: {
      problems: [
        `RETENTION_VAULT_DAYS (${vaultDays}) must not exceed RETENTION_RECEIPTS_DAYS (${receiptsDays}): receipts put in order what is normalised again`,
      ],
    },
  });
}

/** Builds the process that runs scheduled jobs. Throws AppError `config_invalid` for settings that contradict each other. */
export async function compose(config: SchedulerServiceConfig, parts: SchedulerServiceParts): Promise<SchedulerService> {
  const { providers, logger, metrics, clock = systemClock } = parts;
  checkRetention(config);
  const connectionsMax = config.databaseConnectionsMax ?? connectionsDefault;
  const database = openOrShare(parts.database, { url: config.databaseUrl, name: 'pulsewire-scheduler', connectionsMax });
  const http = createHttpClient({ userAgent: 'Pulsewire' });
  const segmentRoller = createSegmentRoller({ config, logger, metrics });
  try {
    await assertUsable(database);
    const cipher = await openCipher(database, configuredKeys(database, config), [...connectionSealedColumns, ...ingestSealedColumns]);
    const jobs = await openJobs(database);
    const scheduler = createScheduler({
      jobs: allJobs,
      metrics,
      concurrency: parts.jobsMax ?? jobsIn(connectionsMax),
      context: {
        database,
        clock,
        logger,
        plan: { jobs, clock, connectorFor: providers.connectorFor, random: Math.random },
        custody: createCustody({ database, cipher, clock, logger, metrics, providers, http }),
        unsubscribing: createUnsubscribing(database, http, providers.connectorFor),
        retention: config,
        packAfterDays: config.packAfterDays ?? null,
        segmentRoller,
        erasuresFile: config.erasuresFile ?? null,
        // Users may also be connected to providers without a connector.
        providerSlugs: [...new Set([...connectors, ...withoutConnector, ...manualProviders].map(({ slug }) => slug))],
      },
    });
    return {
      ...scheduler,
      workers: [{ name: 'scheduler', run: (signal) => scheduler.run(signal) }],
      checks: [{ name: 'database', check: () => assertWritable(database) }],
      async close() {
        await segmentRoller?.close();
        await jobs.close();
        http.close();
        await database.close();
      },
    };
  } catch (error) {
    http.close();
    await database.close();
    throw error;
  }
}
