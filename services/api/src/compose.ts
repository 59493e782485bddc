import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { createAuditRecorder, type AuditRecorder } from '@pulsewire/audit';
import { type Clock, type Logger, type Metrics, noMetrics, silentLogger, systemClock, waitUntilAborted } from '@pulsewire/kernel';
import {
  accountDirectory,
  connectionSealedColumns,
  createCustody,
  readProviderSettings,
  type LinkContext,
  type ProviderGate,
  type ProviderSettings,
} from '@pulsewire/connections';
import { assertUsable, type Cipher, configuredKeys, type Database, openCipher, openDatabase, takeTurns } from '@pulsewire/database';
import { allPartners, createPartnerDirectory, labSealedColumns, loadLabData, partnerSettings, type PartnerMaker } from '@pulsewire/labs';
import { createAddressGuard, createHttpClient, type HttpClient } from '@pulsewire/outbound';
import { connectors, findIdentity, providerRef } from '@pulsewire/providers';
import { createByteBudget, createUnsubscribing, ingestSealedColumns } from '@pulsewire/ingest';
import { intakeSealedColumns } from '@pulsewire/intake';
import { storeSealedColumns } from '@pulsewire/store';
import { webhookSealedColumns } from '@pulsewire/webhooks';
import { listenError, oneAddress, publicHealthRoutes, type HealthSource, type Worker } from '@pulsewire/runtime';
import { createBackground } from './context/background.ts';
import type { ApiConfig } from './config.ts';
import type { ApiContext } from './context/context.ts';
import { buildDocument } from './docs/build-document.ts';
import { createServer } from './http/create-server.ts';
import type { ServerOptions } from './http/server-options.ts';
import { createKeyUses } from './limits/key-uses.ts';
import { createFailedKeys } from './limits/failed-keys.ts';
import { createKeyRates } from './limits/key-rates.ts';
import { memoryBounds, shareOfWorker } from './limits/memory-bounds.ts';
import { createPhoneLimits } from './limits/phone-limits.ts';
import { takeTurn } from './limits/request-turns.ts';
import { callersCrowded, createTeamSlots } from './limits/team-slots.ts';
import { createUnsentResponses, unsentBytesMax } from './limits/unsent-responses.ts';
import { noBulkPorts, openIngestPorts, type IngestPorts } from './context/ingest-ports.ts';
import { allRoutes } from './routes/all-routes.ts';
import { siteRoutes } from './routes/site/site-routes.ts';

/** Replacements for parts that `compose` would create itself. The caller closes them. */
export interface ApiOverrides {
  readonly database?: Database;
  /** false: a database opened by `compose` is not used, so it is not checked. */
  readonly checksDatabase?: boolean;
  readonly cipher?: Cipher;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly metrics?: Metrics;
  /** Source of `/health/live` and `/health/ready`; without it these paths do not exist. */
  readonly health?: HealthSource;
  readonly providers?: ProviderSettings;
  /** HTTP client for providers. */
  readonly http?: HttpClient;
  readonly gate?: ProviderGate;
  /** The partners of labs, phlebotomists and service centers; default: all of this release. */
  readonly partners?: readonly PartnerMaker[];
  readonly ingest?: IngestPorts | undefined;
  /** Mounts more pages into this server, such as the link page. */
  readonly mount?: (app: FastifyInstance, parts: { readonly links: LinkContext }) => Promise<void>;
  readonly audit?: AuditRecorder;
  /** Called with every response of a route. */
  readonly onRouteResponse?: ServerOptions['onRouteResponse'];
  readonly deadlines?: ServerOptions['deadlines'];
  /** Limit of unread bytes per team; see `limits/unsent-responses.ts`. */
  readonly unsentBytesMax?: number;
  /** Requests that a connection may send ahead. */
  readonly pipelinedMax?: ServerOptions['pipelinedMax'];
  /** Processes among which connections are distributed; default: 1. Bounds on memory hold for all of them together. */
  readonly workers?: number;
}

export interface Api {
  /** For `inject`. */
  readonly app: FastifyInstance;
  /** Our address as browsers and providers reach it; known once the API listens, or by configuration. */
  readonly baseUrl: () => string;
  /** The OpenAPI document. */
  document(): Record<string, unknown>;
  /** Starts accepting requests; returns the address. */
  listen(): Promise<{ readonly url: string; readonly port: number }>;
  /** Serves until the signal aborts; then new requests get 503, running ones finish and background work drains. */
  readonly worker: Worker;
  /** Closes what `compose` opened. */
  close(): Promise<void>;
}

const userAgent = 'Pulsewire';

/** After this time a client opens its connection again, so that a worker that replaces another one soon has its part of them. */
const connectionMaxMs = 120_000;

function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

/** The pool of this process. */
export function openApiDatabase(config: Pick<ApiConfig, 'databaseUrl' | 'databaseConnectionsMax'>): Database {
  return openDatabase({ url: config.databaseUrl, name: 'pulsewire-api', connectionsMax: config.databaseConnectionsMax });
}

/** Builds the API: database, providers, linking, ports to ingest, routes, server. It does not listen yet. */
export async function compose(config: ApiConfig, overrides: ApiOverrides = {}): Promise<Api> {
  const { clock = systemClock, logger = silentLogger, metrics = noMetrics, workers = 1 } = overrides;
  const state: { isServing: boolean; url: string } = { isServing: true, url: `http://${urlHost(config.host)}:${config.port}` };
  const baseUrl = () => (config.baseUrl ?? state.url).replace(/\/+$/, '');

  // If a later step fails, everything opened so far is closed.
  await using opened = new AsyncDisposableStack();
  const pool = overrides.database ?? opened.adopt(openApiDatabase(config), (own) => own.close());
  const database = takeTurns(pool, takeTurn);
  if (!overrides.database && overrides.checksDatabase !== false) {
    await assertUsable(database);
    await loadLabData(database, clock);
  }
  const cipher =
    overrides.cipher ??
    (await openCipher(database, configuredKeys(database, config), [
      ...connectionSealedColumns,
      ...webhookSealedColumns,
      ...labSealedColumns,
      ...intakeSealedColumns,
      ...storeSealedColumns,
      // The explanation of a day opens responses.
      ...ingestSealedColumns,
    ]));
  const providers = overrides.providers ?? readProviderSettings(connectors, config);
  for (const provider of providers.withoutAddress) logger.warn({ provider }, 'provider.address_missing');
  for (const { slug: provider, ownFormat: reason } of providers.connectors)
    if (reason !== undefined && providers.isEnabled(provider)) logger.warn({ provider, reason }, 'provider.own_format');
  const http = overrides.http ?? opened.adopt(createHttpClient({ userAgent }), (client) => client.close());
  const custody = createCustody({ database, cipher, clock, logger, metrics, providers, http, gate: overrides.gate });
  const ingest =
    overrides.ingest ??
    opened.adopt(await openIngestPorts({ database, cipher, clock, logger, metrics, providers, workers }), (own) => own.close());

  const links: LinkContext = {
    ...custody,
    connectors: providers.connectors,
    isEnabled: providers.isEnabled,
    baseUrl,
    linkTokenSecret: config.linkTokenSecret,
    linkWebUrl: () => config.linkWebUrl ?? `${baseUrl()}/link`,
    onConnected: ingest.onConnected,
    onDeregistered: ingest.onDeregistered,
    ...(ingest.lastDayRead && { lastDayRead: ingest.lastDayRead }),
  };
  const background = createBackground(logger);
  const audit = overrides.audit ?? opened.adopt(createAuditRecorder({ database, logger, metrics }), (own) => own.close());
  const keyUses = opened.adopt(createKeyUses({ database, clock, logger }), (own) => own.close());
  const unsubscribing = createUnsubscribing(database, http, providers.connectorFor);
  const { sandboxUsersMax, samplesPerPage, linkTokenAloneAllowed, rateLimit } = config;
  const partners = createPartnerDirectory(overrides.partners ?? allPartners, { clock, http, settings: partnerSettings(config) });
  const labs = { database, cipher, clock, owners: accountDirectory, partners };
  const labCalls = { labs, logger, metrics };
  const context: ApiContext = {
    database,
    clock,
    connectors: providers.connectors,
    links,
    bulk: { database, cipher, clock, logger, metrics, connectorFor: providers.connectorFor, ...(ingest.bulk ?? noBulkPorts) },
    labs,
    labCalls,
    phone: {
      tokens: { database, clock, secret: config.linkTokenSecret },
      receiving: { database, cipher, clock, links },
      bytes: createByteBudget(shareOfWorker(memoryBounds.phones, workers)),
      limits: createPhoneLimits(clock),
    },
    refresh: ingest.refresh,
    fillDemo: ingest.fillDemo,
    rejectUnknownAddress: ingest.rejectUnknownAddress ?? (async () => null),
    receivePush: ingest.receivePush,
    pushBytes: ingest.pushBytes,
    labBytes: createByteBudget(shareOfWorker(memoryBounds.labs, workers)),
    bodyBytes: createByteBudget(shareOfWorker(memoryBounds.bodies, workers)),
    unsubscribing,
    background,
    keyUses,
    audit,
    keyRates: createKeyRates({ database, clock, perSecond: rateLimit }),
    failedKeys: createFailedKeys({ database, clock, logger }),
    rawCipher: cipher,
    teamSlots: createTeamSlots(config.databaseConnectionsMax),
    openSlots: createTeamSlots(Math.ceil(config.databaseConnectionsMax / 2), callersCrowded),
    unsent: createUnsentResponses((overrides.unsentBytesMax ?? unsentBytesMax) / workers),
    endpoints: {
      database,
      cipher,
      clock,
      guard: createAddressGuard({ allowedNetworks: config.allowedNetworks }),
      keptDays: config.logDays,
      findProvider: (slug) => {
        const provider = findIdentity(slug);
        return provider && { name: provider.name, sourceId: provider.sourceId, logo: providerRef(provider, `${baseUrl()}/logos`).logo };
      },
    },
    settings: { sandboxUsersMax, samplesPerPage, linkTokenAloneAllowed, rateLimit },
  };
  const isServing = () => state.isServing;
  const routes = allRoutes(providers.connectors);
  const app = await createServer({
    context,
    routes,
    logger,
    metrics,
    isServing,
    trustedProxies: config.trustedProxies,
    onRouteResponse: overrides.onRouteResponse,
    deadlines: overrides.deadlines,
    pipelinedMax: overrides.pipelinedMax,
    ...(workers > 1 && { connectionMaxMs }),
  });
  const document = () => buildDocument(JSON.parse(JSON.stringify(app.swagger())) as object);
  siteRoutes(app, { document, connectors: providers.connectors });
  if (overrides.health) publicHealthRoutes(app, overrides.health);
  await overrides.mount?.(app, { links });
  await app.ready();
  const parts = opened.move();

  return {
    app,
    baseUrl,
    document,
    async listen() {
      await app.listen({ host: await oneAddress(config.host), port: config.port }).catch((error: unknown) => {
        throw listenError(error, config, { host: 'HOST', port: 'PORT' });
      });
      const { port } = app.server.address() as AddressInfo;
      state.url = `http://${urlHost(config.host)}:${port}`;
      logger.info({ url: state.url, baseUrl: baseUrl() }, 'api.listening');
      return { url: state.url, port };
    },
    worker: {
      name: 'api',
      async run(signal) {
        await waitUntilAborted(signal);
        state.isServing = false;
        background.stop();
        await app.close();
        await background.drain();
      },
    },
    async close() {
      background.stop();
      await app.close();
      await background.drain();
      await parts.disposeAsync();
    },
  };
}
