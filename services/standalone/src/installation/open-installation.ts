import { loadLabData } from '@pulsewire/labs';
import path from 'node:path';
import type { Clock, Logger } from '@pulsewire/kernel';
import {
  affordPools,
  assertUsable,
  checkCipherKeys,
  configuredKeys,
  hasCipherKeys,
  migrate,
  openDatabase,
  sealedUses,
  type Database,
  type EncryptionConfig,
  type VaultConfig,
} from '@pulsewire/database';
import { installJobs } from '@pulsewire/ingest';
import type { Worker, WorkersWanted } from '@pulsewire/runtime';
import { checkDataFormat } from './data-format.ts';
import { folderError } from './folder-error.ts';
import { sealedColumns } from './sealed-columns.ts';
import { loadOrMakeKeys, readKeys, type InstallationKeys } from './keys.ts';
import { takeDataDir } from './owner-lock.ts';
import { startPostgres } from './postgres.ts';
import { seedTeam, type SeededTeam } from './seed.ts';

/** A data folder with a running Postgres, an up-to-date schema and a team; locked by this process until it is closed. */
export interface Installation extends SeededTeam {
  readonly dataDir: string;
  readonly databaseUrl: string;
  /** Shared by all parts of the process. */
  readonly database: Database;
  /** Of each process. */
  readonly connectionsMax: number;
  /** Worker processes that the server has connections for; 1: this process does everything. */
  readonly workers: number;
  readonly keys: InstallationKeys;
  /** Sources of encryption keys: the data folder, and a KMS if one is configured. */
  readonly encryption: EncryptionConfig;
  /** Keeps the embedded server up; null when Postgres is external. */
  readonly postgresWorker: Worker | null;
  close(): Promise<void>;
}

// Values that were encrypted before keys were recorded count too.
async function isEncrypted(database: Database): Promise<boolean> {
  if (await hasCipherKeys(database)) return true;
  for (const column of sealedColumns) if ((await sealedUses(database, column)).length > 0) return true;
  return false;
}

/** Below this, parts of the process would wait for each other's connections. */
const connectionsMin = 8;
/** Opens the installation, or creates it. Throws AppErrors that state what to do; closes first what it had opened. */
export async function openInstallation(options: {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly teamApiKey: string | undefined;
  /** Set by the operator, these are used instead of those in the data folder. */
  readonly encryptionKeys: string | undefined;
  readonly linkTokenSecret: string | undefined;
  readonly kms: VaultConfig;
  /** Of the pool that all parts of a process share. */
  readonly connectionsMax: number;
  readonly workers: WorkersWanted;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly onNotice: (text: string) => void;
}): Promise<Installation> {
  const dataDir = path.resolve(options.dataDir);
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const closeOne of closers.splice(0).toReversed()) await closeOne();
  };
  try {
    const lock = await takeDataDir(dataDir);
    closers.push(() => lock.release());
    await checkDataFormat(dataDir, { records: true });
    const postgres = await startPostgres({ ...options, dataDir });
    closers.push(() => postgres.stop());
    const { count: workers, connectionsMax } = await affordPools({
      ...options,
      url: postgres.url,
      name: 'pulsewire',
      // The worker processes, and this one with the other services.
      others: options.workers.count > 1 ? 1 : 0,
      share: 1,
      connectionsMin,
    });
    const database = openDatabase({ url: postgres.url, name: 'pulsewire', connectionsMax });
    closers.push(() => database.close());
    const encryptionOf = (encryptionKeys: string) => ({ ...options.kms, encryptionKeys });
    // An external database belongs to an operator, who plans its upgrades.
    if (options.databaseUrl !== undefined) await assertUsable(database);
    else {
      const known = options.encryptionKeys ?? (await readKeys(dataDir))?.encryptionKeys;
      if (known !== undefined) await checkCipherKeys(database, configuredKeys(database, encryptionOf(known)));
      await migrate(database, {
        onApplied: (name, durationMs) => options.logger.info({ name, durationMs: Math.round(durationMs) }, 'migration.applied'),
        onBlocked: (name, holders) => options.logger.warn({ name, holders }, 'migration.waits'),
      });
      await installJobs(database);
    }
    await loadLabData(database, options.clock);
    const stored = await loadOrMakeKeys(dataDir, async () => options.encryptionKeys === undefined && (await isEncrypted(database)));
    const keys = {
      ...stored,
      encryptionKeys: options.encryptionKeys ?? stored.encryptionKeys,
      linkTokenSecret: options.linkTokenSecret ?? stored.linkTokenSecret,
    };
    const seeded = await seedTeam(database, options.clock, options.teamApiKey ?? keys.teamApiKey);
    return {
      ...seeded,
      dataDir,
      databaseUrl: postgres.url,
      database,
      connectionsMax,
      workers,
      keys,
      encryption: encryptionOf(keys.encryptionKeys),
      postgresWorker: postgres.worker,
      close,
    };
  } catch (error) {
    await close();
    throw options.databaseUrl === undefined ? folderError(error, dataDir) : error;
  }
}
