import { kafkaConfig } from '@pulsewire/kafka/lazy';
import { databaseConfig } from '@pulsewire/database';
import { defineConfig } from '@pulsewire/runtime';

/** Settings of the process that moves the committed log to Kafka. */
export const relayConfig = defineConfig({
  ...databaseConfig,
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
