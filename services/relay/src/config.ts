import { kafkaConfig } from '@pulsewire/kafka/lazy';
import { defineConfig } from '@pulsewire/runtime';

/** Settings of the process that moves the committed log to Kafka. */
export const relayConfig = defineConfig({
  databaseUrl: {
    env: 'DATABASE_URL',
    type: 'url',
    schemes: ['postgres', 'postgresql'],
    secret: true,
    description: 'Postgres 15 or later that all processes share.',
  },
  ...kafkaConfig,
  databaseConnectionsMax: {
    env: 'RELAY_DATABASE_CONNECTIONS_MAX',
    type: 'integer',
    min: 3,
    max: 20,
    default: 4,
    description: 'Connections to Postgres at most.',
  },
});
