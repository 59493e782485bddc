import { kafkaConfig } from '@pulsewire/eventlog/kafka-config';
import { defineConfig, processConfig } from '@pulsewire/runtime';

/** Where this installation keeps what it is; shared by `npm start` and `npm run admin`. */
export const installationConfig = defineConfig({
  ...kafkaConfig,
  dataDir: { env: 'DATA_DIR', type: 'string', default: '.pulsewire', description: 'Folder of the embedded Postgres and the keys.' },
  databaseUrl: {
    env: 'DATABASE_URL',
    type: 'url',
    schemes: ['postgres', 'postgresql'],
    optional: true,
    secret: true,
    defaultText: 'none',
    description: 'Use this Postgres (15 or later) instead of the embedded one.',
  },
});

/** The front door's own variables; everything else has its default under `npm start`. */
export const standaloneConfig = defineConfig({
  ...installationConfig,
  // A person reads the terminal; what happens is told in words there.
  logLevel: { ...processConfig.logLevel, default: 'warn' },
  port: { env: 'PORT', type: 'integer', default: 8080, min: 0, max: 65_535, description: 'Port of the API; 0 picks a free one.' },
  host: { env: 'HOST', type: 'string', default: '127.0.0.1', description: 'Address on which the API listens.' },
  teamApiKey: {
    env: 'TEAM_API_KEY',
    type: 'string',
    secret: true,
    optional: true,
    minLength: 16,
    defaultText: 'made once, printed',
    description: 'Key of the seeded sandbox team.',
  },
  demo: { env: 'DEMO', type: 'enum', values: ['on', 'off'], default: 'on', description: 'off: the empty service, without simulators.' },
  allowedNetworks: {
    env: 'WEBHOOK_ALLOWED_NETWORKS',
    type: 'networks',
    default: ['127.0.0.0/8', '::1/128'],
    defaultText: 'loopback',
    description: 'Private networks that webhooks may reach; services of their own start with none.',
  },
});
