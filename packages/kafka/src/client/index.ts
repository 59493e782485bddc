export { createTopicsAndWait, readCommitted, readTopicEnds, withAdmin } from './admin.ts';
export { saslMechanisms, type KafkaConnection, type SaslMechanism } from './config.ts';
export type { ConsumerHealth, GuardedConsumer, GuardedConsumerOptions, KafkaMessage } from './consumer/consumer-types.ts';
export { fenceProducer } from './producer/fence-producer.ts';
export { createGuardedConsumer } from './consumer/guarded-consumer.ts';
export { patchRequestQueue } from './patch-request-queue.ts';
export { createKafkaClient, type Handle, type KafkaClient } from './kafka-client.ts';
export { type KafkaRecord } from './producer/partition-queues.ts';
export { createSafeProducer, type SafeProducer, type SafeProducerOptions } from './producer/safe-producer.ts';
