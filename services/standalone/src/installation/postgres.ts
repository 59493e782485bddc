import { sleep, type Logger } from '@pulsewire/kernel';
import { startEmbeddedServer, type EmbeddedServer } from '@pulsewire/database';
import type { Worker } from '@pulsewire/runtime';

/** The Postgres of this installation: the one in DATABASE_URL, or our own. */
export interface InstallationPostgres {
  readonly url: string;
  /** Keeps our own server running; null when Postgres is external. */
  readonly worker: Worker | null;
  stop(): Promise<void>;
}

const checkMs = 500;

export async function startPostgres(options: {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly logger: Logger;
  readonly onNotice: (text: string) => void;
  /** The server belongs to a running installation; default: false. */
  readonly isShared?: boolean;
}): Promise<InstallationPostgres> {
  if (options.databaseUrl !== undefined) return { url: options.databaseUrl, worker: null, stop: async () => {} };
  const { dataDir, onNotice, isShared = false } = options;
  let server: EmbeddedServer = await startEmbeddedServer({ dataDir, onNotice, isShared });
  let url: string;
  try {
    url = await server.databaseUrl('pulsewire');
  } catch (error) {
    if (!isShared) await server.stop();
    throw error;
  }
  return {
    url,
    worker: {
      name: 'postgres',
      async run(signal) {
        while (!signal.aborted) {
          if (!server.isRunning()) {
            options.logger.error({ pid: server.pid }, 'postgres.exited');
            await server.stop();
            // On the same port, because every pool has the address.
            server = await startEmbeddedServer({ dataDir, port: server.port, onNotice });
            options.logger.warn({ pid: server.pid }, 'postgres.restarted');
          }
          await sleep(checkMs, signal);
        }
      },
    },
    stop: async () => {
      if (!isShared) await server.stop();
    },
  };
}
