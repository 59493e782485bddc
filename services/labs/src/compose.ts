import { accountDirectory } from '@pulsewire/connections';
import {
  assertUsable,
  assertWritable,
  configuredKeys,
  type Database,
  type EncryptionConfig,
  openCipher,
  openOrShare,
} from '@pulsewire/database';
import { systemClock, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import {
  allJobKinds,
  allPartners,
  createJobWorker,
  createPartnerDirectory,
  labSealedColumns,
  partnerSettings,
  type PartnerMaker,
} from '@pulsewire/labs';
import { createHttpClient } from '@pulsewire/outbound';
import type { ConfigOf, Started } from '@pulsewire/runtime';
import type { labsConfig } from './config.ts';

export type LabsConfig = Omit<ConfigOf<typeof labsConfig>, keyof EncryptionConfig> & EncryptionConfig;

export interface LabsParts {
  /** The pool of the process that this service is a part of; absent: one of its own. */
  readonly database?: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  /** The partners of labs, phlebotomists and service centers; default: all of this release. */
  readonly partners?: readonly PartnerMaker[];
}

export interface LabsService extends Started {
  close(): Promise<void>;
}

const userAgent = 'Pulsewire';

/** Builds the process that makes the queued calls to labs, phlebotomists, service centers and senders of test kits. */
export async function compose(config: LabsConfig, parts: LabsParts): Promise<LabsService> {
  const { logger, metrics, clock = systemClock } = parts;
  const database = openOrShare(parts.database, {
    url: config.databaseUrl,
    name: 'pulsewire-labs',
    connectionsMax: config.databaseConnectionsMax,
  });
  const http = createHttpClient({ userAgent });
  const close = async () => {
    http.close();
    await database.close();
  };
  try {
    await assertUsable(database);
    const cipher = await openCipher(database, configuredKeys(database, config), labSealedColumns);
    const partners = createPartnerDirectory(parts.partners ?? allPartners, { clock, http, settings: partnerSettings(config) });
    const labs = { database, cipher, clock, owners: accountDirectory, partners };
    const worker = createJobWorker({ labs, logger, metrics, kinds: allJobKinds, concurrency: config.concurrency });
    return {
      workers: [{ name: 'lab_partner_jobs', run: (signal) => worker.run(signal) }],
      checks: [{ name: 'database', check: () => assertWritable(database) }],
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
