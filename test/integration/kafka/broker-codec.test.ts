import zlib from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '@pulsewire/kernel';
import { checkTopics, createTopics, topicCatalogue } from '@pulsewire/kafka';
import { createKafkaClient, createTopicsAndWait, withAdmin } from '@pulsewire/kafka/client';
import kafkajs from 'kafkajs';
import { startKafkaCluster, type KafkaCluster } from '../../support/kafka/cluster.ts';
import { describeCluster } from '../../support/kafka/use-kafka.ts';

await describeCluster('a broker that converts records to zstd by default', () => {
  let cluster: KafkaCluster;
  let client: ReturnType<typeof createKafkaClient>;
  const [topic] = topicCatalogue({ kafkaTopicPrefix: 'codec.', kafkaPartitions: 1, kafkaReplication: 1, kafkaRetentionHours: 120 });
  if (topic === undefined) throw new Error('The catalogue is empty');

  beforeAll(async () => {
    cluster = await startKafkaCluster({ count: 1, overrides: { 'compression.type': 'zstd' } });
    client = createKafkaClient({ brokers: cluster.addresses, clientId: 'test' }, { logger: silentLogger });
  });
  afterAll(async () => {
    await client?.close();
    await cluster?.close();
  });

  it('leaves records on topics that `topics create` makes as the relay sent them', async () => {
    await createTopics(client, [topic]);
    const { resources } = await withAdmin(client, 'settings', (admin) =>
      admin.describeConfigs({
        includeSynonyms: false,
        resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic.name, configNames: ['compression.type'] }],
      }),
    );
    expect(resources[0]?.configEntries).toMatchObject([{ configName: 'compression.type', configValue: 'producer' }]);
  });

  it('is reported by `topics check` for a topic without its own codec if zstd cannot be read', async () => {
    const byHand = { ...topic, name: 'codec.by-hand' };
    await withAdmin(client, 'a topic', (admin) => createTopicsAndWait(admin, [{ topic: byHand.name, numPartitions: 1 }]));
    const problems = async () => (await checkTopics(client, [byHand])).map(({ problem }) => problem);
    expect(await problems()).not.toContainEqual(expect.stringContaining('compression.type'));
    const { zstdDecompress } = zlib;
    // As in a Node without zstd.
    Object.assign(zlib, { zstdDecompress: undefined });
    try {
      expect(await problems()).toContain('has compression.type=zstd instead of producer');
    } finally {
      Object.assign(zlib, { zstdDecompress });
    }
  });
});
