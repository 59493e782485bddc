import { linkConfig, publicAddressConfig } from '@pulsewire/connections';
import { kafkaConfig } from '@pulsewire/kafka/lazy';
import { connectionsConfig, databaseConfig, encryptionConfig, vaultConfig } from '@pulsewire/database';
import { defineConfig, healthServerConfig, processConfig, workersConfig } from '@pulsewire/runtime';
import { dispatcherConfig } from '@pulsewire/service-dispatcher';
import { schedulerConfig } from '@pulsewire/service-scheduler';
import { webhookConfig } from '@pulsewire/webhooks';
import { Type } from 'typebox';

/** Location of this installation's data; shared by `npm start` and `npm run admin`. */
export const installationConfig = defineConfig({
  ...kafkaConfig,
  ...vaultConfig,
  dataDir: {
    env: 'DATA_DIR',
    schema: Type.String({ default: '.pulsewire' }),
    description: 'Folder of the embedded Postgres and the keys.',
  },
  databaseUrl: {
    ...databaseConfig.databaseUrl,
    schema: Type.Optional(databaseConfig.databaseUrl.schema),
    defaultText: 'none',
    description: 'Use this Postgres (15 or later) instead of the embedded one.',
  },
  encryptionKeys: {
    ...encryptionConfig.encryptionKeys,
    defaultText: 'those of DATA_DIR',
    description:
      'Keys of encrypted columns instead of those in the data folder: <id>:<base64 of 32 bytes>, separated by commas; the key with the highest id encrypts.',
  },
});

/** Settings that `npm start` adds or whose defaults it changes. */
export const standaloneConfig = defineConfig({
  ...installationConfig,
  ...connectionsConfig({ minimum: 8, default: 24 }),
  ...workersConfig,
  workers: {
    ...workersConfig.workers,
    description:
      'Processes that share the work of api, ingest and dispatcher, beside one with everything else; auto: as many as there are cores, one fewer with the embedded Postgres. With 1, one process does everything.',
  },
  // At a terminal, where a person reads them, events are printed as sentences.
  logLevel: { ...processConfig.logLevel, schema: Type.With(processConfig.logLevel.schema, { default: 'warn' }) },
  port: {
    env: 'PORT',
    schema: Type.Integer({ minimum: 0, maximum: 65_535, default: 8080 }),
    description: 'Port of the API; 0 picks a free one.',
  },
  host: { env: 'HOST', schema: Type.String({ format: 'host', default: '127.0.0.1' }), description: 'Address on which the API listens.' },
  teamApiKey: {
    env: 'TEAM_API_KEY',
    // A weak key is refused when it is added; one that is already in the database stays valid.
    schema: Type.Optional(Type.String({ minLength: 16 })),
    secret: true,
    defaultText: 'generated and printed',
    description: 'Key of the seeded sandbox team; a new value is added to the same team.',
  },
  linkTokenSecret: {
    ...linkConfig.linkTokenSecret,
    schema: Type.Optional(linkConfig.linkTokenSecret.schema),
    defaultText: 'that of DATA_DIR',
  },
  erasuresFile: { ...schedulerConfig.erasuresFile, defaultText: '`DATA_DIR/erasures.jsonl`' },
  packAfterDays: { ...schedulerConfig.packAfterDays, defaultText: '7; none with DATABASE_URL' },
  logoBaseUrl: {
    ...dispatcherConfig.logoBaseUrl,
    schema: Type.Optional(Type.String({ format: 'base-url' })),
    defaultText: '`BASE_URL/logos`',
  },
  ...publicAddressConfig,
  // A fixed default would conflict with a second installation, or with Prometheus, on the same machine.
  healthPort: {
    ...healthServerConfig.healthPort,
    schema: Type.With(healthServerConfig.healthPort.schema, { default: 0 }),
    description: 'Port of the health and metrics server; 0 picks a free one.',
  },
  demo: {
    env: 'DEMO',
    schema: Type.Optional(Type.Enum(['on', 'off'])),
    defaultText: 'on; off with DATABASE_URL',
    description: 'on: simulated providers and people. off: no users or data.',
  },
  portal: {
    env: 'PORTAL',
    schema: Type.Enum(['on', 'off'], { default: 'on' }),
    description: "on: the portal, where people look at a team's users, data and deliveries with its API key, at /portal. off: no portal.",
  },
  demoHistoryDays: {
    env: 'DEMO_HISTORY_DAYS',
    schema: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
    defaultText: '14; 10 at providers other than Google Health',
    description:
      "Days of history that are pulled for the demo's users; fewer days take less time. Providers other than Google Health: at most 10.",
  },
  allowedNetworks: {
    ...webhookConfig.allowedNetworks,
    schema: Type.Optional(Type.Array(Type.String({ format: 'network' }))),
    defaultText: 'loopback with the demo, else none',
  },
});
