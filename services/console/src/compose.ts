import type { AddressInfo } from 'node:net';
import { connectionSealedColumns, createCustody, type LinkContext, type ProviderSettings } from '@pulsewire/connections';
import { assertUsable, assertWritable, configuredKeys, openCipher, openDatabase } from '@pulsewire/database';
import { openJobs, planningHooks } from '@pulsewire/ingest';
import { type Clock, type Logger, type Metrics, systemClock, waitUntilAborted } from '@pulsewire/kernel';
import { createHttpClient } from '@pulsewire/outbound';
import { createPageServer, listenError, oneAddress, type Started } from '@pulsewire/runtime';
import type { ConsoleConfig } from './config.ts';
import { linkPageRoutes } from './routes/link-page-routes.ts';

export interface ConsoleParts {
  readonly providers: ProviderSettings;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
}

export interface Console extends Started {
  /** The address on which it listens. */
  readonly url: string;
  close(): Promise<void>;
}

/** Composes the console as a separate process, and listens. */
export async function compose(config: ConsoleConfig, parts: ConsoleParts): Promise<Console> {
  const { providers, logger, metrics, clock = systemClock } = parts;
  await using opened = new AsyncDisposableStack();
  const { databaseUrl: url, databaseConnectionsMax: connectionsMax } = config;
  const database = opened.adopt(openDatabase({ url, name: 'pulsewire-console', connectionsMax }), (own) => own.close());
  await assertUsable(database);
  const http = opened.adopt(createHttpClient({ userAgent: 'Pulsewire' }), (client) => client.close());
  const jobs = opened.adopt(await openJobs(database), (own) => own.close());
  const { connectors, connectorFor, isEnabled } = providers;
  const baseUrl = config.baseUrl.replace(/\/+$/, '');
  const cipher = await openCipher(database, configuredKeys(database, config), connectionSealedColumns);
  const links: LinkContext = {
    ...createCustody({ database, cipher, clock, logger, metrics, providers, http }),
    connectors,
    isEnabled,
    baseUrl: () => baseUrl,
    linkTokenSecret: config.linkTokenSecret,
    linkWebUrl: () => config.linkWebUrl ?? `${baseUrl}/link`,
    ...planningHooks({ jobs, connectorFor, clock, random: Math.random }),
  };
  const state = { isServing: true };
  const app = opened.adopt(createPageServer({ logger, metrics, isServing: () => state.isServing }), (server) => server.close());
  await linkPageRoutes(app, { links });
  await app.listen({ host: await oneAddress(config.host), port: config.port }).catch((error: unknown) => {
    throw listenError(error, config, { host: 'HOST', port: 'PORT' });
  });
  const { port } = app.server.address() as AddressInfo;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const kept = opened.move();
  logger.info({ port, linkWebUrl: links.linkWebUrl() }, 'console.listening');

  return {
    url: `http://${host}:${port}`,
    workers: [
      {
        name: 'console',
        async run(signal) {
          await waitUntilAborted(signal);
          state.isServing = false;
          await app.close();
        },
      },
    ],
    checks: [{ name: 'database', check: () => assertWritable(database) }],
    close: () => kept.disposeAsync(),
  };
}
