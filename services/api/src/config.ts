import { providerConfigFields } from '@pulsewire/connections';
import { databaseConfig, encryptionConfig, type EncryptionConfig } from '@pulsewire/database';
import { connectors } from '@pulsewire/providers';
import { defineConfig, type ConfigFields, type ConfigOf } from '@pulsewire/runtime';

/** Settings of the API, beside those of every process. */
export const apiConfigFields = defineConfig({
  host: { env: 'HOST', type: 'string', default: '127.0.0.1', description: 'Address that the API listens on.' },
  port: { env: 'PORT', type: 'integer', max: 65_535, default: 8080, description: 'Port of the API; 0 picks a free one.' },
  ...databaseConfig,
  databaseConnectionsMax: {
    env: 'DATABASE_CONNECTIONS_MAX',
    type: 'integer',
    min: 2,
    max: 200,
    default: 10,
    description: 'Connections to Postgres that this process may open.',
  },
  baseUrl: {
    env: 'BASE_URL',
    type: 'url',
    optional: true,
    defaultText: '`http://HOST:PORT`',
    description: 'Our address as browsers and providers reach it.',
  },
  linkWebUrl: {
    env: 'LINK_WEB_URL',
    type: 'url',
    optional: true,
    defaultText: '`BASE_URL/link`',
    description: 'Address of the hosted link page.',
  },
  ...encryptionConfig,
  linkTokenSecret: { env: 'LINK_TOKEN_SECRET', type: 'string', minLength: 32, secret: true, description: 'Signs link tokens.' },
  linkTokenAloneAllowed: {
    env: 'LINK_TOKEN_ALONE_ALLOWED',
    type: 'boolean',
    default: false,
    description: 'Lets browsers call the link endpoints with a link token and no key.',
  },
  allowedNetworks: {
    env: 'WEBHOOK_ALLOWED_NETWORKS',
    type: 'networks',
    default: [],
    defaultText: 'none',
    description: 'Private networks that webhooks may reach.',
  },
  logDays: {
    env: 'RETENTION_LOG_DAYS',
    type: 'integer',
    min: 7,
    max: 365,
    default: 30,
    unit: 'days',
    description: 'How long events stay in the log, as the scheduler is told too: no endpoint may retry for longer.',
  },
  trustedProxies: {
    env: 'TRUSTED_PROXIES',
    type: 'networks',
    default: [],
    defaultText: 'none',
    description:
      'Networks of proxies whose X-Forwarded-For names the caller: for keys that are bound to addresses, limits and the audit log.',
  },
  rateLimit: {
    env: 'API_RATE_LIMIT',
    type: 'integer',
    min: 0,
    max: 100_000,
    default: 50,
    unit: 'requests per second',
    description: 'Of each API key without a limit of its own, with a burst of two seconds; 0 switches all limits of keys off.',
  },
  sandboxUsersMax: {
    env: 'SANDBOX_USERS_MAX',
    type: 'integer',
    min: 1,
    default: 50,
    description: 'Live users that a sandbox team may hold.',
  },
  samplesPerPage: {
    env: 'SAMPLES_PER_PAGE',
    type: 'integer',
    min: 1,
    max: 100_000,
    default: 10_000,
    description: 'Samples of one page of grouped timeseries.',
  },
});

export type ApiConfig = Omit<ConfigOf<typeof apiConfigFields>, keyof EncryptionConfig> & EncryptionConfig;

/** With the settings of every registered provider, as the process of the API reads them. */
export const apiProcessFields: typeof apiConfigFields & ConfigFields = { ...apiConfigFields, ...providerConfigFields(connectors) };
