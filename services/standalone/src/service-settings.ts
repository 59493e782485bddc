import path from 'node:path';
import { loadPart, type ConfigOf, type Environment } from '@pulsewire/runtime';
import { apiConfigFields } from '@pulsewire/service-api';
import { dispatcherConfig } from '@pulsewire/service-dispatcher';
import { ingestConfig } from '@pulsewire/service-ingest';
import { labsConfig } from '@pulsewire/service-labs';
import { relayConfig } from '@pulsewire/service-relay';
import { reportParserConfig } from '@pulsewire/service-report-parser';
import { schedulerConfig } from '@pulsewire/service-scheduler';
import type { standaloneConfig } from './config.ts';

/**
 * The variables of services whose values `npm start` determines: those of the installation, and those that it derives from settings of its
 * own. Everything else reaches the services as the operator has set it.
 */
export interface GivenSettings extends Environment {
  readonly DATABASE_URL: string;
  readonly DATABASE_CONNECTIONS_MAX: string;
  readonly ENCRYPTION_KEYS: string;
  readonly LINK_TOKEN_SECRET: string;
  readonly ERASURES_FILE: string;
  readonly HOST: string;
  readonly PORT: string;
  readonly BASE_URL: string;
  readonly PROVIDER_LOGO_BASE_URL: string;
  readonly WEBHOOK_ALLOWED_NETWORKS: string;
  readonly PORTAL: 'on' | 'off';
  readonly SAMPLES_PACK_AFTER_DAYS?: string;
}

export interface GivenParts {
  readonly config: Pick<
    ConfigOf<typeof standaloneConfig>,
    'host' | 'portal' | 'erasuresFile' | 'logoBaseUrl' | 'packAfterDays' | 'databaseUrl'
  >;
  readonly installation: {
    readonly dataDir: string;
    readonly databaseUrl: string;
    readonly connectionsMax: number;
    readonly keys: { readonly encryptionKeys: string; readonly linkTokenSecret: string };
  };
  readonly port: number;
  readonly baseUrl: string;
  readonly allowedNetworks: readonly string[];
}

/** With the embedded Postgres no process of an earlier version runs beside this one. */
const packAfterDaysEmbedded = 7;

export function givenSettings({ config, installation, port, baseUrl, allowedNetworks }: GivenParts): GivenSettings {
  const packAfterDays = config.packAfterDays ?? (config.databaseUrl === undefined ? packAfterDaysEmbedded : undefined);
  return {
    ...(packAfterDays !== undefined && { SAMPLES_PACK_AFTER_DAYS: String(packAfterDays) }),
    DATABASE_URL: installation.databaseUrl,
    DATABASE_CONNECTIONS_MAX: String(installation.connectionsMax),
    ENCRYPTION_KEYS: installation.keys.encryptionKeys,
    LINK_TOKEN_SECRET: installation.keys.linkTokenSecret,
    ERASURES_FILE: config.erasuresFile ?? path.join(installation.dataDir, 'erasures.jsonl'),
    HOST: config.host,
    PORT: String(port),
    BASE_URL: baseUrl,
    PROVIDER_LOGO_BASE_URL: config.logoBaseUrl ?? `${baseUrl}/logos`,
    WEBHOOK_ALLOWED_NETWORKS: allowedNetworks.join(','),
    PORTAL: config.portal,
  };
}

/** The settings of each service in this process. Those of providers are passed to the services as `ProviderSettings`. */
export function readServiceSettings(given: GivenSettings, env?: Environment) {
  return {
    api: loadPart(apiConfigFields, given, env),
    ingest: loadPart(ingestConfig, given, env),
    dispatcher: loadPart(dispatcherConfig, given, env),
    relay: loadPart(relayConfig, given, env),
    labs: loadPart(labsConfig, given, env),
    reportParser: loadPart(reportParserConfig, given, env),
    scheduler: loadPart(schedulerConfig, given, env),
    isPortalOn: given.PORTAL === 'on',
  };
}

export type ServiceSettings = ReturnType<typeof readServiceSettings>;
