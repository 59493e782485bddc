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
    description: 'Private networks that webhooks may be sent to; all others are rejected.',
  },
  logoBaseUrl: {
    env: 'PROVIDER_LOGO_BASE_URL',
    type: 'url',
    default: 'http://127.0.0.1:8080/logos',
    description: 'Base URL of provider logos, used only in events of teams that pinned an old contract date.',
  },
  endpointConcurrency: {
    env: 'WEBHOOK_ENDPOINT_CONCURRENCY',
    type: 'integer',
    min: 1,
    max: 256,
    default: 64,
    description: 'Maximum concurrent attempts at one endpoint.',
  },
  concurrency: {
    env: 'WEBHOOK_CONCURRENCY',
    type: 'integer',
    min: 1,
    max: 20_000,
    default: 2048,
    description: 'Maximum concurrent attempts in this process, which bounds its sockets.',
  },
  windowEvents: {
    env: 'WEBHOOK_WINDOW_EVENTS',
    type: 'integer',
    min: 64,
    max: 200_000,
    default: 8192,
    description: 'Maximum events read ahead of the recorded position.',
  },
  timeoutMs: {
    env: 'WEBHOOK_TIMEOUT_MS',
    type: 'integer',
    min: 1000,
    max: 60_000,
    default: 15_000,
    unit: 'ms',
    description: 'Deadline of one attempt, from start to end.',
  },
  databaseConnectionsMax: {
    env: 'WEBHOOK_DATABASE_CONNECTIONS_MAX',
    type: 'integer',
    min: 3,
    max: 50,
    default: 6,
    description: 'Maximum connections to Postgres.',
  },
});
