import { providerConfigFields, publicAddressConfig } from '@pulsewire/connections';
import { connectionsConfig, databaseConfig, encryptionConfig } from '@pulsewire/database';
import { connectors } from '@pulsewire/providers';
import { defineConfig } from '@pulsewire/runtime';
import { Type } from 'typebox';

/** Settings of the ingest process; those of the providers are computed from the registry. */
export const ingestConfig = {
  ...defineConfig({
    ...databaseConfig,
    ...encryptionConfig,
    ...publicAddressConfig,
    concurrency: {
      env: 'INGEST_CONCURRENCY',
      schema: Type.Integer({ minimum: 1, maximum: 200, default: 8 }),
      description: 'Connections that one process pulls at the same time.',
    },
    windowDeadlineMs: {
      env: 'INGEST_WINDOW_DEADLINE_MS',
      schema: Type.Integer({ minimum: 1000, maximum: 600_000, default: 120_000 }),
      unit: 'ms',
      description: 'Deadline for pulling all pages of one window of days; a longer pull counts as a failure and is retried.',
    },
    historyWaitMs: {
      env: 'INGEST_ANSWER_WAIT_MS',
      schema: Type.Integer({ minimum: 1000, maximum: 86_400_000, default: 600_000 }),
      unit: 'ms',
      description: 'How long a window of history waits for a provider that sends the requested data by notification.',
    },
    rawVault: {
      env: 'RAW_VAULT',
      schema: Type.Enum(['on', 'off'], { default: 'on' }),
      description:
        'Whether provider responses and notifications are kept for some days, so that they can be normalised again after a mapper is fixed.',
    },
    ...connectionsConfig({ minimum: 2, default: 12 }),
  }),
  ...providerConfigFields(connectors),
};
