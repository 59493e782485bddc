import { silentLogger, noMetrics } from '@pulsewire/kernel';
import { type Database } from '@pulsewire/database';
import { prepareDatabase } from '../../support/test-server.ts';
import { openKafka, prepareKafka, type KafkaConfig, type OpenKafka } from '@pulsewire/kafka';
import { startKafkaCluster, type KafkaCluster } from '../../support/kafka/cluster.ts';
import { startRegistry } from '../../support/kafka/registry.ts';
import { withServer } from './own-server.ts';

/** One or three brokers, a registry and a Postgres of their own, with the topics and schemas in place. */
export interface KafkaHarness {
  readonly url: string;
  readonly judge: Database;
  readonly config: KafkaConfig;
  readonly kafka: OpenKafka;
  readonly cluster: KafkaCluster;
  /** Environment with the addresses of Kafka for the processes. */
  readonly env: Readonly<Record<string, string>>;
}

export function withKafka<T>(work: (harness: KafkaHarness) => Promise<T>, count: 1 | 3 = 1): Promise<T> {
  return withServer(async (url, judge) => {
    const cluster = await startKafkaCluster({ count });
    const registry = await startRegistry();
    const config: KafkaConfig = {
      kafkaBrokers: cluster.addresses,
      schemaRegistryUrl: registry.url,
      kafkaTls: false,
      kafkaTlsCaFile: undefined,
      kafkaSaslMechanism: 'none',
      kafkaSaslUsername: undefined,
      kafkaSaslPassword: undefined,
      kafkaClientId: 'faults',
      kafkaTopicPrefix: 'pulsewire.',
      kafkaPartitions: 8,
      kafkaReplication: count,
      kafkaRetentionHours: 120,
    };
    let kafka: OpenKafka | undefined;
    try {
      await prepareDatabase(judge);
      await prepareKafka(config, silentLogger);
      kafka = await openKafka({ config, logger: silentLogger, metrics: noMetrics });
      const env = { KAFKA_BROKERS: cluster.addresses.join(','), SCHEMA_REGISTRY_URL: registry.url, KAFKA_REPLICATION: String(count) };
      return await work({ url, judge, config, kafka, cluster, env });
    } finally {
      await kafka?.close();
      await Promise.all([cluster.close(), registry.close()]);
    }
  });
}
