import { kafkaConfig } from '@pulsewire/kafka/lazy';
import { databaseConfig, vaultConfig } from '@pulsewire/database';
import { defineConfig, healthServerConfig, processConfig } from '@pulsewire/runtime';

/** Where this installation keeps what it is; shared by `npm start` and `npm run admin`. */
export const installationConfig = defineConfig({
  ...kafkaConfig,
  ...vaultConfig,
  dataDir: { env: 'DATA_DIR', type: 'string', default: '.pulsewire', description: 'Folder of the embedded Postgres and the keys.' },
  databaseUrl: {
    ...databaseConfig.databaseUrl,
    optional: true,
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
    // A weak key is refused when it is added; one that the database knows already goes on.
    minLength: 16,
    defaultText: 'made once, printed',
    description: 'Key of the seeded sandbox team; another one is added to the same team.',
  },
  baseUrl: {
    env: 'BASE_URL',
    type: 'url',
    optional: true,
    defaultText: '`http://HOST:PORT`',
    description: 'Our address as browsers and providers reach it.',
  },
  // A fixed default would keep a second installation, or a Prometheus, from starting beside this one.
  healthPort: { ...healthServerConfig.healthPort, default: 0, description: 'Port of the health and metrics server; 0 picks a free one.' },
  demo: {
    env: 'DEMO',
    type: 'enum',
    values: ['on', 'off'],
    optional: true,
    defaultText: 'on; off with DATABASE_URL',
    description: 'on: simulated providers with recorded data. off: the empty service.',
  },
  allowedNetworks: {
    env: 'WEBHOOK_ALLOWED_NETWORKS',
    type: 'networks',
    optional: true,
    defaultText: 'loopback with the demo, else none',
    description: 'Private networks that webhooks may reach.',
  },
});
