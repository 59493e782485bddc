import { randomBytes, randomUUID } from 'node:crypto';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import {
  createEventWriter,
  createGuardedConsumer,
  createKafkaClient,
  createKafkaLog,
  createRegistry,
  createTopics,
  runRelay,
  topicCatalogue,
  topicNames,
} from '@pulsewire/kafka';
import type { TestLog } from '../log.ts';
import type { KafkaPlace } from './ladder.ts';

/** Schemas are registered under this prefix once per run: registering them for each set of topics would take longer than the tests. */
export const sharedPrefix = 'test.shared.';

const partitions = 4;

/** The log on Kafka for one test: its own topics, and the registry of the run. */
export async function openKafkaTestLog(database: Database, place: KafkaPlace): Promise<TestLog> {
  if (place.kind === 'none' || place.registryUrl === null) throw new Error('A log on Kafka needs brokers and a registry');
  const { brokers, registryUrl } = place;
  const prefix = `test.log.${randomBytes(5).toString('hex')}.`;
  const client = createKafkaClient({ brokers, clientId: 'test' }, { logger: silentLogger });
  const { events } = topicNames(prefix);
  const registry = createRegistry(registryUrl);
  await createTopics(
    client,
    topicCatalogue({ kafkaTopicPrefix: prefix, kafkaPartitions: partitions, kafkaReplication: 1, kafkaRetentionHours: 120 }),
  );
  const writer = createEventWriter({
    registry: {
      idOf: (topic, record) => registry.idOf(topic.replace(prefix, sharedPrefix), record),
      schemaAddress: (schemaId) => registry.schemaAddress(schemaId),
    },
    topicPrefix: prefix,
    partitions,
  });
  const stopping = new AbortController();
  const parts = {
    database,
    client,
    writer,
    names: topicNames(prefix),
    partitions,
    memberId: randomUUID(),
    logger: silentLogger,
    metrics: noMetrics,
  };
  const relaying = runRelay({ ...parts, leaseMs: 1500 }, stopping.signal);
  return {
    create: (options) =>
      createKafkaLog({
        ...options,
        registry,
        source: {
          partitions: async () => partitions,
          open: async (groupId, handlers) => createGuardedConsumer(client, { groupId, topic: events, pollMs: 100, ...handlers }),
        },
        groupPrefix: prefix,
        metrics: noMetrics,
      }),
    env: { KAFKA_BROKERS: brokers.join(','), SCHEMA_REGISTRY_URL: registryUrl, KAFKA_TOPIC_PREFIX: prefix, KAFKA_REPLICATION: '1' },
    async close() {
      stopping.abort();
      await relaying;
      await client.close();
    },
  };
}
