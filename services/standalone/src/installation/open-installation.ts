import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Clock, Logger } from '@pulsewire/kernel';
import type { Team } from '@pulsewire/connections';
import { migrate, openDatabase, type Database } from '@pulsewire/database';
import type { Worker } from '@pulsewire/runtime';
import { loadKeys, type InstallationKeys } from './keys.ts';
import { takeDataDir } from './owner-lock.ts';
import { startPostgres } from './postgres.ts';
import { seedTeam } from './seed.ts';

/** A data folder with a running Postgres, an up-to-date schema and a team; ours until it is closed. */
export interface Installation {
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly database: Database;
  readonly keys: InstallationKeys;
  readonly team: Team;
  readonly apiKey: string;
  /** Keeps the embedded server up; null when Postgres is somebody else's. */
  readonly postgresWorker: Worker | null;
  close(): Promise<void>;
}

/** Opens what is there or makes it. Throws AppError with what to do; what it had opened by then is closed again. */
export async function openInstallation(options: {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly teamApiKey: string | undefined;
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
    await mkdir(dataDir, { recursive: true });
    const lock = await takeDataDir(dataDir);
    closers.push(() => lock.release());
    const postgres = await startPostgres({ ...options, dataDir });
    closers.push(() => postgres.stop());
    const { keys } = await loadKeys(dataDir);
    const apiKey = options.teamApiKey ?? keys.teamApiKey;
    const database = openDatabase({ url: postgres.url, name: 'standalone', connectionsMax: 3 });
    closers.push(() => database.close());
    await migrate(database);
    const team = await seedTeam(database, options.clock, apiKey);
    return { dataDir, databaseUrl: postgres.url, database, keys, team, apiKey, postgresWorker: postgres.worker, close };
  } catch (error) {
    await close();
    throw error;
  }
}
