import { kafkaConfig } from '@pulsewire/kafka/lazy';
import { databaseConfig } from '@pulsewire/database';
import { defineConfig } from '@pulsewire/runtime';
import { Type } from 'typebox';

/** Settings of the process that moves the committed log to Kafka. */
export const relayConfig = defineConfig({
  ...databaseConfig,
  ...kafkaConfig,
  databaseConnectionsMax: {
    env: 'RELAY_DATABASE_CONNECTIONS_MAX',
    schema: Type.Integer({ minimum: 3, maximum: 20, default: 4 }),
    description: 'Maximum connections to Postgres.',
  },
});
