import type { AddressInfo } from 'node:net';
import { type Clock, type Logger, type Metrics, systemClock, waitUntilAborted } from '@pulsewire/kernel';
import { createHttpClient } from '@pulsewire/outbound';
import { createPageServer, listenError, oneAddress, type Started } from '@pulsewire/runtime';
import { createRemoteTransport } from './api/remote-transport.ts';
import type { PortalConfig } from './config.ts';
import { portalRoutes } from './routes/portal-routes.ts';

export interface PortalParts {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
}

export interface Portal extends Started {
  /** The port on which it listens. */
  readonly port: number;
  close(): Promise<void>;
}

/** Path of the portal; a proxy must keep it. */
export const portalRoot = '/portal';
/** Pages with the samples of a day are the largest; the API limits them further. */
const responseBytesMax = 20 * 1024 * 1024;

/** Composes the portal as a separate process, and listens. */
export async function compose(config: PortalConfig, { logger, metrics, clock = systemClock }: PortalParts): Promise<Portal> {
  await using opened = new AsyncDisposableStack();
  const http = opened.adopt(createHttpClient({ userAgent: 'Pulsewire', responseBytesMax }), (client) => client.close());
  const withoutSlash = (url: string) => url.replace(/\/+$/, '');
  const baseUrl = withoutSlash(config.baseUrl);
  const state = { isServing: true };
  const { trustedProxies } = config;
  const app = opened.adopt(createPageServer({ logger, metrics, trustedProxies, isServing: () => state.isServing }), (server) =>
    server.close(),
  );
  await portalRoutes(app, {
    root: portalRoot,
    apiUrl: () => baseUrl,
    secret: config.linkTokenSecret,
    transport: createRemoteTransport({ apiUrl: withoutSlash(config.apiUrl ?? baseUrl), http, logger }),
    clock,
    logger,
  });
  await app.listen({ host: await oneAddress(config.host), port: config.port }).catch((error: unknown) => {
    throw listenError(error, config, { host: 'HOST', port: 'PORT' });
  });
  const { port } = app.server.address() as AddressInfo;
  const kept = opened.move();
  logger.info({ port }, 'portal.listening');

  return {
    port,
    workers: [
      {
        name: 'portal',
        async run(signal) {
          await waitUntilAborted(signal);
          state.isServing = false;
          await app.close();
        },
      },
    ],
    close: () => kept.disposeAsync(),
  };
}
