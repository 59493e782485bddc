import { databaseConfig, encryptionConfig } from '@pulsewire/database';
import { kafkaConfig } from '@pulsewire/kafka/lazy';
import { defineConfig } from '@pulsewire/runtime';

/** Settings of the process that delivers webhooks. */
export const dispatcherConfig = defineConfig({
  ...kafkaConfig,
  ...databaseConfig,
  ...encryptionConfig,
  allowedNetworks: {
    env: 'WEBHOOK_ALLOWED_NETWORKS',
    type: 'networks',
    default: [],
    description: 'Private networks that webhooks may be sent to; all others are refused.',
  },
  logoBaseUrl: {
    env: 'PROVIDER_LOGO_BASE_URL',
    type: 'url',
    default: 'http://127.0.0.1:8080/logos',
    description: 'Where logos of providers are served; only in events of teams that pinned an old contract date.',
  },
  endpointConcurrency: {
    env: 'WEBHOOK_ENDPOINT_CONCURRENCY',
    type: 'integer',
    min: 1,
    max: 256,
    default: 64,
    description: 'Attempts under way at one endpoint.',
  },
  concurrency: {
    env: 'WEBHOOK_CONCURRENCY',
    type: 'integer',
    min: 1,
    max: 20_000,
    default: 2048,
    description: 'Attempts under way in this process: a bound on sockets.',
  },
  windowEvents: {
    env: 'WEBHOOK_WINDOW_EVENTS',
    type: 'integer',
    min: 64,
    max: 200_000,
    default: 8192,
    description: 'Events read ahead of the recorded position.',
  },
  timeoutMs: {
    env: 'WEBHOOK_TIMEOUT_MS',
    type: 'integer',
    min: 1000,
    max: 60_000,
    default: 15_000,
    unit: 'ms',
    description: 'Time for one attempt from start to end.',
  },
  databaseConnectionsMax: {
    env: 'WEBHOOK_DATABASE_CONNECTIONS_MAX',
    type: 'integer',
    min: 3,
    max: 50,
    default: 6,
    description: 'Connections to Postgres at most.',
  },
});
