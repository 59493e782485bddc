import { afterAll, beforeAll, expect, it } from 'vitest';
import { noMetrics, silentLogger, sleep, type Logger } from '@pulsewire/kernel';
import {
  createGuardedConsumer,
  createKafkaClient,
  createSafeProducer,
  readTopicEnds,
  withAdmin,
  type KafkaClient,
} from '@pulsewire/kafka/client';
import { startKafkaCluster, type Broker, type KafkaCluster } from '../../support/kafka/cluster.ts';
import { bareKafka, createTopicAt, describeCluster } from '../../support/kafka/use-kafka.ts';
import { Collector, range } from './support/collector.ts';
import { ConsumerGroup } from './support/kafkajs-internals.ts';
import { Load } from './support/load.ts';

const stalledAfterMs = 120_000;
// The client's last log lines, for the failure message of a stalled test.
const heard: string[] = [];
const collect = (fields: object, event: string) => {
  heard.push(`${new Date().toISOString()} ${event} ${JSON.stringify(fields)}`);
  if (heard.length > 20) heard.shift();
};
const hearing: Logger = { ...silentLogger, info: collect, warn: collect, error: collect, child: () => hearing };

await describeCluster('leaders that move', () => {
  let cluster: KafkaCluster;
  let client: KafkaClient;
  beforeAll(async () => {
    cluster = await startKafkaCluster({ count: 3 });
    client = createKafkaClient({ brokers: cluster.addresses, clientId: 'test' }, { logger: hearing });
  });
  afterAll(async () => {
    await client?.close();
    await cluster?.close();
  });

  /** Partition 0 on broker 1, partition 1 on broker 2. */
  async function createSplitTopic(topic: string): Promise<void> {
    await createTopicAt(cluster.addresses, topic, { assignment: [[1], [2]] });
  }

  /** Moves partition 1 to broker 1 as well; resolves when the cluster reports it. */
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

  it('kafkajs: a send during a leader move resolves although a partition was not written', async () => {
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

  it('guarded: exactly the unacknowledged records are sent again', async () => {
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

  it('guarded: a broker that is no longer read is detected and read by a new consumer', async () => {
    const topic = 'unread.guarded';
    await createTopicAt(cluster.addresses, topic, { assignment: [[1], [2], [3]] });
    const producer = createSafeProducer(client);
    const write = (key: string) =>
      producer.send(
        topic,
        [0, 1, 2].map((partition) => record(partition, key)),
      );
    const { sightings, collector } = collectSightings(3);
    const { onAssigned, onRevoked, onBatch, capacity } = collector;
    await write('before');
    const { fetch } = ConsumerGroup.prototype;
    const consumer = createGuardedConsumer(client, {
      groupId: topic,
      topic,
      onAssigned,
      onRevoked,
      onBatch,
      capacity,
      sessionTimeoutMs: 3_000,
      pollMs: 100,
      stalledAfterMs: 1_000,
    });
    const isRead = (count: number) => collector.until(() => sightings.every((keys) => keys.length >= count));
    await isRead(1);
    const hung = new Set<unknown>();
    const { promise: isHanging, resolve: hangs } = Promise.withResolvers<void>();
    ConsumerGroup.prototype.fetch = function (nodeId) {
      if (hung.size === 0) hung.add(this);
      if (!hung.has(this) || nodeId !== '2') return fetch.call(this, nodeId);
      hangs();
      return new Promise(() => {});
    };
    try {
      // Responses to earlier requests still arrive.
      await isHanging;
      await write('after');
      await isRead(2);
    } finally {
      ConsumerGroup.prototype.fetch = fetch;
    }
    // On a loaded machine the new session may start slowly and be checked once more.
    expect(consumer.health()).toMatchObject({ rebuilds: expect.toSatisfy((count: number) => count >= 1), lastReason: 'NOT_READING' });
    await consumer.stop();
    await producer.close();
  });

  it('guarded: killing brokers in turn under load loses nothing acknowledged and keeps the order', { timeout: 600_000 }, async () => {
    // A failed first attempt may have left one dead.
    for (const broker of cluster.brokers) if (!broker.isRunning()) await broker.restart();
    const topic = `killed.guarded.${Date.now()}`;
    await createTopicAt(cluster.addresses, topic, { partitions: 6, replicas: 3 });
    const { sightings, collector } = collectSightings(6);
    const { onAssigned, onRevoked, onBatch, capacity } = collector;
    const consumer = createGuardedConsumer(client, {
      groupId: topic,
      topic,
      onAssigned,
      onRevoked,
      onBatch,
      capacity,
      sessionTimeoutMs: 3_000,
      pollMs: 100,
    });
    const producer = createSafeProducer(client, { sendTimeoutMs: 10_000 });
    const load = new Load(producer, topic, 6);
    const seen = (goals = load.acknowledged()) =>
      collector.until(() => goals.every((goal, partition) => (sightings[partition]?.length ?? 0) >= goal));
    // Reports its progress instead of exceeding the limit of the test.
    const standing = () =>
      JSON.stringify({
        brokers: cluster.brokers.map((broker) => broker.isRunning()),
        ...consumer.health(),
        acknowledged: load.acknowledged(),
        seen: sightings.map((keys) => keys.length),
      });
    const soon = async (work: Promise<void>) => {
      const isDone = await Promise.race([work.then(() => true), sleep(stalledAfterMs).then(() => false)]);
      if (isDone) return;
      const partitions = JSON.stringify(await partitionsOf(topic).catch(String));
      throw new Error(
        `Nothing has moved on for too long: ${standing()}; ${collector.history.join(', ')}; ${partitions}\n${heard.join('\n')}`,
      );
    };
    const [first, second] = cluster.brokers as [Broker, Broker];
    const killUnderLoad = async (broker: Broker) => {
      await soon(load.another(100));
      await soon(seen());
      await broker.kill();
      // Of every partition, so that each leader that died has a successor.
      await soon(load.another(100));
      await soon(seen());
    };
    await killUnderLoad(first);
    await first.restart();
    await inSync(topic, 3);
    await killUnderLoad(second);
    await soon(load.stop());
    await soon(seen());
    for (const [partition, goal] of load.acknowledged().entries()) expect(sightings[partition]).toEqual(range(goal).map(String));
    await consumer.stop();
    await producer.close();
  });

  it('guarded: producers and admins start although an unrelated topic has no leader', async () => {
    const [first, second, third] = cluster.brokers as [Broker, Broker, Broker];
    for (const broker of [first, second]) if (!broker.isRunning()) await broker.restart();
    const [lost, topic] = [`lost.${Date.now()}`, `kept.${Date.now()}`];
    await createTopicAt(cluster.addresses, lost, { assignment: [[third.nodeId]] });
    await createTopicAt(cluster.addresses, topic, { assignment: [[first.nodeId, second.nodeId]] });
    await third.kill();
    const leadersOf = (name: string) =>
      withAdmin(client, 'leaders', async (admin) => (await admin.fetchTopicMetadata({ topics: [name] })).topics[0]?.partitions);
    await expect
      .poll(() => leadersOf(lost).catch((error: Error) => String(error.cause)), { timeout: 30_000, interval: 200 })
      .toContain('no leader');
    const producer = createSafeProducer(client, { sendTimeoutMs: 10_000 });
    await producer.send(topic, [record(0, 'a')]);
    await producer.close();
    expect(await counts(topic)).toEqual([1]);
    expect(
      await withAdmin(client, 'a topic', (admin) => admin.createTopics({ topics: [{ topic: `${topic}.2`, replicationFactor: 2 }] })),
    ).toBe(true);
  });

  /** Keys of each partition in the order of their first arrival: records resent after a lost response arrive twice. */
  function collectSightings(partitions: number) {
    const known = new Set<string>();
    const sightings: string[][] = Array.from({ length: partitions }, () => []);
    const collector = new Collector();
    collector.before = (partition, messages) => {
      for (const key of messages.map((message) => String(message.key))) {
        if (known.has(`${partition}/${key}`)) continue;
        known.add(`${partition}/${key}`);
        sightings[partition]?.push(key);
      }
    };
    return { sightings, collector };
  }

  async function partitionsOf(topic: string) {
    const topics = [topic, '__consumer_offsets'];
    const metadata = await withAdmin(client, 'who leads, and who is in sync', (admin) => admin.fetchTopicMetadata({ topics }));
    return metadata.topics.flatMap(({ partitions }) => partitions.map(({ leader, isr }) => ({ leader, isr })));
  }

  /**
   * Resolves when every partition of the topic and of the group's offsets has this many in-sync replicas: without its offsets no member can
   * join.
   */
  async function inSync(topic: string, replicas: number): Promise<void> {
    const least = async () => Math.min(...(await partitionsOf(topic)).map(({ isr }) => isr.length));
    await expect.poll(() => least().catch(() => 0), { timeout: stalledAfterMs, interval: 200 }).toBeGreaterThanOrEqual(replicas);
  }
});
