export { createTopicsAndWait, readCommitted, readTopicEnds, withAdmin } from './admin.ts';
export { saslMechanisms, type KafkaConnection, type SaslMechanism } from './config.ts';
export type { ConsumerHealth, GuardedConsumer, GuardedConsumerOptions, KafkaMessage } from './consumer-types.ts';
export { fenceProducer } from './fence-producer.ts';
export { createGuardedConsumer } from './guarded-consumer.ts';
export { createKafkaClient, type Handle, type KafkaClient } from './kafka-client.ts';
export { type KafkaRecord } from './record-lanes.ts';
export { createSafeProducer, type SafeProducer, type SafeProducerOptions } from './safe-producer.ts';
