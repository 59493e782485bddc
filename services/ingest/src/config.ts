import { providerConfigFields } from '@pulsewire/connections';
import { databaseConfig, encryptionConfig } from '@pulsewire/database';
import { connectors } from '@pulsewire/providers';
import { defineConfig } from '@pulsewire/runtime';

/** Settings of the ingest process; those of the providers are computed from the registry. */
export const ingestConfig = {
  ...defineConfig({
    ...databaseConfig,
    ...encryptionConfig,
    baseUrl: {
      env: 'BASE_URL',
      type: 'url',
      optional: true,
      defaultText: 'none',
      description: 'Our address as providers reach it; without it nothing is subscribed that tells a provider where to call.',
    },
    concurrency: {
      env: 'INGEST_CONCURRENCY',
      type: 'integer',
      min: 1,
      max: 200,
      default: 8,
      description: 'Connections that one process pulls at the same time.',
    },
    windowDeadlineMs: {
      env: 'INGEST_WINDOW_DEADLINE_MS',
      type: 'integer',
      min: 1000,
      max: 600_000,
      default: 120_000,
      unit: 'ms',
      description: 'Time for one window of days, all of its pages; longer counts as a failure and is tried again.',
    },
    historyWaitMs: {
      env: 'INGEST_ANSWER_WAIT_MS',
      type: 'integer',
      min: 1000,
      max: 86_400_000,
      default: 600_000,
      unit: 'ms',
      description: 'How long a window of history waits for a provider that answers by pushes.',
    },
    rawVault: {
      env: 'RAW_VAULT',
      type: 'enum',
      values: ['on', 'off'],
      default: 'on',
      description: 'Whether what providers answer and push is kept for some days, to be normalised again after a mapper was mended.',
    },
    databaseConnectionsMax: {
      env: 'INGEST_DATABASE_CONNECTIONS_MAX',
      type: 'integer',
      min: 2,
      max: 200,
      default: 10,
      description: 'Connections to Postgres at most; five more serve the job queue.',
    },
  }),
  ...providerConfigFields(connectors),
};
