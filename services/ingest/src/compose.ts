import { systemClock, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import {
  connectionSealedColumns,
  createCustody,
  handOverImported,
  startResourceHandoverOf,
  runImport,
  type ImportContext,
  type ProviderSettings,
} from '@pulsewire/connections';
import {
  assertUsable,
  assertWritable,
  type Database,
  configuredKeys,
  type EncryptionConfig,
  openCipher,
  openOrShare,
} from '@pulsewire/database';
import {
  createIngest,
  createProviderAccess,
  dropSchedules,
  ingestSealedColumns,
  openJobs,
  planImported,
  planningHooks,
  type IngestSettings,
} from '@pulsewire/ingest';
import { createBatchWorker, intakeSealedColumns } from '@pulsewire/intake';
import { storeSealedColumns } from '@pulsewire/store';
import { createHttpClient } from '@pulsewire/outbound';
import type { Started } from '@pulsewire/runtime';
import { createSubscriptionPorts } from './subscription-ports.ts';

export interface IngestServiceConfig extends EncryptionConfig {
  readonly databaseUrl: string;
  readonly concurrency: number;
  readonly windowDeadlineMs: number;
  readonly databaseConnectionsMax: number;
  readonly baseUrl?: string | undefined;
  /** Default: ten minutes. */
  readonly historyWaitMs?: number;
  /** Default: on. */
  readonly rawVault?: 'on' | 'off';
}

export interface IngestServiceParts {
  /** The pool of the process that this service is a part of; absent: one of its own. */
  readonly database?: Database;
  readonly providers: Pick<ProviderSettings, 'connectorFor' | 'platformApplication'> &
    Partial<Pick<ProviderSettings, 'connectors' | 'pushVerificationCode'>>;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  readonly settings?: Partial<IngestSettings>;
}

export interface IngestService extends Started {
  run(signal: AbortSignal): Promise<void>;
  /** Processes everything that is due and resolves; for tests. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

const userAgent = 'Pulsewire';

/** Builds the process that pulls: database, provider applications and worker. */
export async function compose(config: IngestServiceConfig, parts: IngestServiceParts): Promise<IngestService> {
  const { providers, logger, metrics, clock = systemClock } = parts;
  const database = openOrShare(parts.database, {
    url: config.databaseUrl,
    name: 'pulsewire-ingest',
    connectionsMax: config.databaseConnectionsMax,
  });
  const http = createHttpClient({ userAgent });
  try {
    await assertUsable(database);
    const jobs = await openJobs(database);
    const cipher = await openCipher(database, configuredKeys(database, config), [
      ...connectionSealedColumns,
      ...ingestSealedColumns,
      ...intakeSealedColumns,
      ...storeSealedColumns,
    ]);
    const custody = createCustody({ database, cipher, clock, logger, metrics, providers, http });
    const planning = { jobs, clock, connectorFor: providers.connectorFor, random: Math.random };
    const imports: ImportContext = {
      ...custody,
      requestWork: (tx, operationId) => jobs.workBulk(tx, operationId),
      onReplaced: (tx, connectionIds) => dropSchedules(tx, connectionIds),
      onImported: (tx, connections) => planImported(planning, tx, connections),
    };
    const ingest = createIngest({
      workBulk: (operationId, signal) => runImport(imports, operationId, signal),
      database,
      cipher,
      jobs,
      clock,
      logger,
      metrics,
      connectorFor: providers.connectorFor,
      ...createProviderAccess(custody, http),
      handOverImported: (connection) =>
        handOverImported({ database, clock, connectors: providers.connectors ?? [], ...planningHooks(planning) }, connection),
      startHandover: (connection) => startResourceHandoverOf({ database, clock, connectors: providers.connectors ?? [] }, connection),
      subscriptions: createSubscriptionPorts({
        ...custody,
        http,
        providers: { pushVerificationCode: () => null, ...providers },
        baseUrl: config.baseUrl,
      }),
      settings: {
        concurrency: config.concurrency,
        windowDeadlineMs: config.windowDeadlineMs,
        storeRawResponses: config.rawVault !== 'off',
        ...(config.historyWaitMs !== undefined && { historyWaitMs: config.historyWaitMs }),
        ...parts.settings,
      },
    });
    const batches = createBatchWorker({ database, cipher, clock, logger, metrics });
    const work = async (signal: AbortSignal) => void (await Promise.all([ingest.run(signal), batches.run(signal)]));
    return {
      run: work,
      async drain() {
        while ((await batches.workOldest()) > 0);
        await ingest.drain();
      },
      workers: [
        { name: 'ingest', run: (signal) => ingest.run(signal) },
        { name: 'phone_batches', run: (signal) => batches.run(signal) },
      ],
      checks: [{ name: 'database', check: () => assertWritable(database) }],
      async close() {
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
