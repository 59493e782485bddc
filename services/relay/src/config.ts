import { kafkaConfig } from '@pulsewire/kafka/lazy';
import { connectionsConfig, databaseConfig } from '@pulsewire/database';
import { defineConfig } from '@pulsewire/runtime';

/** Settings of the process that moves the committed log to Kafka. */
export const relayConfig = defineConfig({
  ...databaseConfig,
  ...kafkaConfig,
  ...connectionsConfig({ minimum: 3, default: 4 }),
});
