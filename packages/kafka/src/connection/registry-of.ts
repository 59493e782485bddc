import { AppError } from '@pulsewire/kernel';
import type { KafkaConfig } from '../config/kafka-config.ts';
import { createRegistry, type Registry } from '../records/schema-registry.ts';

/** The registry of these settings. Throws AppError `config_invalid` when none is configured. */
export function registryOf(config: KafkaConfig): Registry {
  if (config.schemaRegistryUrl === undefined)
    throw new AppError({ code: 'config_invalid', kind: 'invalid', message: 'KAFKA_BROKERS needs SCHEMA_REGISTRY_URL' });
  return createRegistry(config.schemaRegistryUrl);
}
