import type { TestProject } from 'vitest/node';
import { createRegistry, registerSchemas } from '@pulsewire/kafka';
import { sharedPrefix } from './kafka/kafka-test-log.ts';
import { openKafka, type KafkaPlace } from './kafka/ladder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    kafka: KafkaPlace;
    isKafkaRequired: boolean;
    /** The log that dispatchers read in this run. */
    log: 'postgres' | 'kafka';
  }
}

/** One broker and one registry per run. With REQUIRE_KAFKA=1 their absence fails the run instead of skipping its tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { env } = process;
  const isRequired = env['REQUIRE_KAFKA'] === '1';
  const { place, close } = await openKafka({ brokers: env['KAFKA_BROKERS'], registryUrl: env['SCHEMA_REGISTRY_URL'] });
  if (place.kind === 'none') {
    if (isRequired) throw new Error(`REQUIRE_KAFKA is set and there is no Kafka: ${place.reason}`);
    process.stderr.write(`Tests that need Kafka are skipped: ${place.reason}.\n`);
  }
  if (place.kind !== 'none' && place.registryUrl !== null) await registerSchemas(createRegistry(place.registryUrl), sharedPrefix);
  project.provide('kafka', place);
  project.provide('isKafkaRequired', isRequired);
  return close;
}
