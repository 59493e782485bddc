import { loadLabData } from '@pulsewire/labs';
import path from 'node:path';
import { AppError, type Clock, type Logger } from '@pulsewire/kernel';
import {
  assertUsable,
  checkCipherKeys,
  configuredKeys,
  hasCipherKeys,
  migrate,
  openDatabase,
  readConnectionBudget,
  sealedUses,
  type Database,
  type EncryptionConfig,
  type VaultConfig,
} from '@pulsewire/database';
import { installJobs } from '@pulsewire/ingest';
import type { Worker } from '@pulsewire/runtime';
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
  readonly connectionsMax: number;
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
/** Beside the pool: one for notifications, and those of a command that runs meanwhile. */
const connectionsBeside = 3;

/**
 * The connections that this process may have at a server of the operator: as many as wanted, or as the server has left. Throws AppError
 * `database_connections_short` when these are too few.
 */
async function affordable(url: string, { connectionsMax: wanted, logger }: { readonly connectionsMax: number; readonly logger: Logger }) {
  const database = openDatabase({ url, name: 'pulsewire', connectionsMax: 1 });
  try {
    const { limit, others } = await readConnectionBudget(database);
    const left = limit - others - connectionsBeside;
    if (left >= wanted) return wanted;
    if (left < connectionsMin)
      throw new AppError({
        code: 'database_connections_short',
        kind: 'unavailable',
        message: `Postgres allows ${limit} connections and other programs have ${others} of them; this process needs ${connectionsMin + connectionsBeside}. Raise max_connections, or end some of the others`,
        retryable: true,
      });
    logger.warn({ limit, others, wanted, connectionsMax: left }, 'database.connections_short');
    return left;
  } finally {
    await database.close();
  }
}

/** Opens the installation, or creates it. Throws AppErrors that state what to do; closes first what it had opened. */
export async function openInstallation(options: {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly teamApiKey: string | undefined;
  /** Set by the operator, these are used instead of those in the data folder. */
  readonly encryptionKeys: string | undefined;
  readonly linkTokenSecret: string | undefined;
  readonly kms: VaultConfig;
  /** Of the pool that all parts of the process share. */
  readonly connectionsMax: number;
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
    const connectionsMax = options.databaseUrl === undefined ? options.connectionsMax : await affordable(postgres.url, options);
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
