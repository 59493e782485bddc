import { createRequire } from 'node:module';

/** The part of kafkajs' broker pool that tests make fail (kafkajs 2.2.4, src/cluster/brokerPool). */
interface BrokerPoolClass {
  readonly prototype: { refreshMetadataIfNecessary(this: unknown, topics: readonly string[]): Promise<void> };
}

/** The part of its consumer group that tests make hang (src/consumer/consumerGroup); brokers are numbered by their ids. */
interface ConsumerGroupClass {
  readonly prototype: { fetch(this: unknown, nodeId: string): Promise<unknown> };
}

export const BrokerPool = createRequire(import.meta.url)('kafkajs/src/cluster/brokerPool') as BrokerPoolClass;

export const ConsumerGroup = createRequire(import.meta.url)('kafkajs/src/consumer/consumerGroup') as ConsumerGroupClass;
