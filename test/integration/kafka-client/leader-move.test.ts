import { afterAll, beforeAll, expect, it } from 'vitest';
import { noMetrics, silentLogger, sleep } from '@pulsewire/kernel';
import { createKafkaClient, createSafeProducer, readTopicEnds, withAdmin, type KafkaClient } from '@pulsewire/eventlog/kafka-client';
import { startKafkaCluster, type KafkaCluster } from '../../support/kafka/cluster.ts';
import { bareKafka, createTopicAt, describeCluster } from '../../support/kafka/use-kafka.ts';

await describeCluster('leaders that move', () => {
  let cluster: KafkaCluster;
  let client: KafkaClient;
  beforeAll(async () => {
    cluster = await startKafkaCluster({ count: 3 });
    client = createKafkaClient({ brokers: cluster.addresses, clientId: 'test' }, { logger: silentLogger });
  });
  afterAll(async () => {
    await client?.close();
    await cluster?.close();
  });

  /** Partition 0 on broker 1, partition 1 on broker 2. */
  async function createSplitTopic(topic: string): Promise<void> {
    await createTopicAt(cluster.addresses, topic, { assignment: [[1], [2]] });
  }

  /** Partition 1 to broker 1 as well; resolves when the cluster says so. */
  async function moveLeader(topic: string): Promise<void> {
    await withAdmin(client, 'a leader move', async (admin) => {
      await admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment: [{ partition: 1, replicas: [1] }] }] });
      for (;;) {
        const [metadata] = (await admin.fetchTopicMetadata({ topics: [topic] })).topics;
        if (metadata?.partitions.find((each) => each.partitionId === 1)?.leader === 1) return;
        await sleep(100);
      }
    });
  }

  const record = (partition: number, key: string) => ({ partition, key, value: Buffer.from('v'), headers: {} });
  const counts = async (topic: string) =>
    [...(await readTopicEnds(client, topic))].sort(([a], [b]) => a - b).map(([, { next }]) => Number(next));

  it('bare: a send that meets a moved leader resolves although a partition was never written', async () => {
    const topic = 'move.bare';
    await createSplitTopic(topic);
    const producer = bareKafka(cluster.addresses).producer({
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition ?? 0,
    });
    await producer.connect();
    await producer.send({ topic, messages: [record(0, 'a'), record(1, 'b')] });
    await moveLeader(topic);
    await producer.send({ topic, messages: [record(0, 'c'), record(1, 'd')] });
    await producer.disconnect();
    expect(await counts(topic)).toEqual([2, 1]);
  });

  it('guarded: what was not acknowledged is sent again, and only that', async () => {
    const topic = 'move.guarded';
    await createSplitTopic(topic);
    const resent: number[] = [];
    const metrics = {
      ...noMetrics,
      count: (name: string, _labels?: unknown, by = 1) => void (name === 'kafka_partitions_resent_total' && resent.push(by)),
    };
    const producer = createSafeProducer(client, { metrics });
    await producer.send(topic, [record(0, 'a'), record(1, 'b')]);
    await moveLeader(topic);
    await producer.send(topic, [record(0, 'c'), record(1, 'd')]);
    await producer.close();
    expect(await counts(topic)).toEqual([2, 2]);
    expect(resent).toEqual([1]);
  });
});
