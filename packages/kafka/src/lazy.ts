// Loads kafkajs and the registry client only once brokers are configured.
export { checkKafka } from './config/check-kafka.ts';
export { kafkaConfig, type KafkaConfig } from './config/kafka-config.ts';
export { createLog, type OpenLog } from './create-log.ts';
export { createSegmentRoller, type SegmentRoller } from './create-segment-roller.ts';
export type { KafkaLink } from './link/kafka-link.ts';
