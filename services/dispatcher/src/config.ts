import { connectionsConfig, databaseConfig, encryptionConfig } from '@pulsewire/database';
import { kafkaConfig } from '@pulsewire/kafka/lazy';
import { defineConfig } from '@pulsewire/runtime';
import { webhookConfig } from '@pulsewire/webhooks';
import { Type } from 'typebox';

/** Settings of the process that delivers webhooks. */
export const dispatcherConfig = defineConfig({
  ...kafkaConfig,
  ...databaseConfig,
  ...encryptionConfig,
  ...webhookConfig,
  logoBaseUrl: {
    env: 'PROVIDER_LOGO_BASE_URL',
    schema: Type.String({ format: 'base-url', default: 'http://127.0.0.1:8080/logos' }),
    description: 'Base URL of provider logos, used only in events of teams that pinned an old contract date.',
  },
  endpointConcurrency: {
    env: 'WEBHOOK_ENDPOINT_CONCURRENCY',
    schema: Type.Integer({ minimum: 1, maximum: 256, default: 64 }),
    description: 'Maximum concurrent attempts at one endpoint.',
  },
  concurrency: {
    env: 'WEBHOOK_CONCURRENCY',
    schema: Type.Integer({ minimum: 1, maximum: 20_000, default: 2048 }),
    description: 'Maximum concurrent attempts in this process, which bounds its sockets.',
  },
  unrecordedEventsMax: {
    env: 'WEBHOOK_WINDOW_EVENTS',
    schema: Type.Integer({ minimum: 64, maximum: 200_000, default: 8192 }),
    description: 'Maximum events read ahead of the recorded position.',
  },
  timeoutMs: {
    env: 'WEBHOOK_TIMEOUT_MS',
    schema: Type.Integer({ minimum: 1000, maximum: 60_000, default: 15_000 }),
    unit: 'ms',
    description: 'Deadline of one attempt, from start to end.',
  },
  ...connectionsConfig({ minimum: 3, default: 6 }),
});
