import { createRequire } from 'node:module';

/** The part of kafkajs' broker pool that tests make fail (kafkajs 2.2.4, src/cluster/brokerPool). */
interface BrokerPoolClass {
  readonly prototype: { refreshMetadataIfNecessary(this: unknown, topics: readonly string[]): Promise<void> };
}

export const BrokerPool = createRequire(import.meta.url)('kafkajs/src/cluster/brokerPool') as BrokerPoolClass;
