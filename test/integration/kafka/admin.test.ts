import zlib from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import {
  checkClusterTopics,
  checkSchemas,
  checkTopics,
  connectionOf,
  createKafkaClient,
  createRegistry,
  createTopics,
  openKafka,
  recordTypes,
  registerSchemas,
  subjectOf,
  topicCatalogue,
  topicsForCluster,
  type RecordType,
} from '@pulsewire/kafka';
import { describeKafka } from '../../support/kafka/use-kafka.ts';
import { configFor } from './support/kafka-harness.ts';

describeKafka('topics and schemas', (kafka) => {
  const config = configFor(kafka, `${kafka.uniqueName('admin')}.`, 4);
  const registry = createRegistry(kafka.registryUrl);
  const clients: ReturnType<typeof createKafkaClient>[] = [];
  afterAll(() => Promise.all(clients.map((client) => client.close())));

  async function openClient() {
    const client = createKafkaClient(await connectionOf(config), { logger: silentLogger });
    clients.push(client);
    return client;
  }

  test('topics are created once, and a check reports what differs', async () => {
    const client = await openClient();
    const topics = topicCatalogue(config);
    expect((await checkTopics(client, topics)).map(({ problem }) => problem)).toEqual(['is missing', 'is missing', 'is missing']);
    expect(await createTopics(client, topics)).toHaveLength(3);
    expect(await createTopics(client, topics)).toEqual([]);
    await expect.poll(() => checkTopics(client, topics), { timeout: 5000 }).toEqual([]);
    const other = topics.map((topic) => ({ ...topic, partitions: 8, configs: { ...topic.configs, 'cleanup.policy': 'delete' } }));
    expect((await checkTopics(client, other)).map(({ problem }) => problem)).toContain('has cleanup.policy=compact instead of delete');
  });

  test('a check accepts every codec that is read, and reports any other', async () => {
    const client = await openClient();
    const [topic] = topicCatalogue({ ...config, kafkaTopicPrefix: `${kafka.uniqueName('codec')}.` });
    if (topic === undefined) throw new Error('The catalogue is empty');
    const converting = { ...topic, configs: { ...topic.configs, 'compression.type': 'zstd' } };
    await createTopics(client, [converting]);
    await expect.poll(() => checkTopics(client, [topic]), { timeout: 5000 }).toEqual([]);
    const { zstdDecompress } = zlib;
    // As in a Node without zstd.
    Object.assign(zlib, { zstdDecompress: undefined });
    try {
      expect((await checkTopics(client, [topic])).map(({ problem }) => problem)).toEqual(['has compression.type=zstd instead of producer']);
    } finally {
      Object.assign(zlib, { zstdDecompress });
    }
  });

  test('a check passes on a cluster with fewer brokers than the requested replication', async () => {
    const client = await openClient();
    const wanted = { ...configFor(kafka, `${kafka.uniqueName('few')}.`, 4), kafkaReplication: 3 };
    const { topics, copies } = await topicsForCluster(client, wanted);
    expect(copies).toBeLessThan(3);
    await createTopics(client, topics);
    await expect.poll(() => checkClusterTopics(client, wanted), { timeout: 5000 }).toEqual([]);
    const other = { ...wanted, kafkaRetentionHours: 24 };
    expect((await checkClusterTopics(client, other)).map(({ problem }) => problem)).toEqual([
      'has retention.ms=432000000 instead of 86400000',
    ]);
  });

  test('a process reports missing topics and the command that creates them', async () => {
    const nowhere = configFor(kafka, `${kafka.uniqueName('nowhere')}.`);
    await expect(
      openKafka({ config: nowhere, logger: silentLogger, metrics: noMetrics, signal: AbortSignal.timeout(1500) }),
    ).rejects.toThrow();
    await expect(
      openKafka({ config: { ...nowhere, schemaRegistryUrl: undefined }, logger: silentLogger, metrics: noMetrics }),
    ).rejects.toThrow('SCHEMA_REGISTRY_URL');
  });

  test('schemas are registered once under FULL_TRANSITIVE, and breaking ones are rejected', async () => {
    const prefix = config.kafkaTopicPrefix;
    expect((await checkSchemas(registry, prefix)).length).toBeGreaterThan(recordTypes.length);
    const count = await registerSchemas(registry, prefix);
    expect(await registerSchemas(createRegistry(kafka.registryUrl), prefix)).toBe(count);
    expect(await checkSchemas(createRegistry(kafka.registryUrl), prefix)).toEqual([]);

    const [activity] = recordTypes.filter(({ name }) => name === 'Activity') as [RecordType];
    const topic = `${prefix}events`;
    const level = (await (await fetch(`${kafka.registryUrl}/config/${subjectOf(topic, activity)}`)).json()) as {
      compatibilityLevel: string;
    };
    expect(level.compatibilityLevel).toBe('FULL_TRANSITIVE');
    const changed = (fields: object[]) => ({
      ...activity,
      schemaText: JSON.stringify({ ...activity.schema, fields: [...(activity.schema.fields ?? []), ...fields] }),
    });
    await expect(registry.register(topic, changed([{ name: 'must', type: 'long' }]))).rejects.toMatchObject({
      code: 'schema_incompatible',
    });
    await expect(registry.register(topic, changed([{ name: 'may', type: ['null', 'long'], default: null }]))).resolves.toBeGreaterThan(0);
  });

  test('an unreachable registry is a retryable error', async () => {
    const [first] = recordTypes as [RecordType];
    await expect(createRegistry('http://127.0.0.1:1/').idOf('t', first)).rejects.toMatchObject({
      code: 'registry_unavailable',
      retryable: true,
    });
    await expect(registry.idOf('nobody', first)).rejects.toMatchObject({ code: 'schema_not_registered' });
  });
});
