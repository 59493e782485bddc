import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { silentLogger, sleep } from '@pulsewire/kernel';
import { createGuardedConsumer, createKafkaClient, createSafeProducer } from '@pulsewire/kafka/client';
import { startKafkaCluster, type KafkaCluster } from '../../support/kafka/cluster.ts';
import { startFlakyProxy, type FlakyProxy } from '../../support/kafka/flaky-proxy.ts';
import { bareKafka, createTopicAt, describeCluster } from '../../support/kafka/use-kafka.ts';
import { Collector, range } from './support/collector.ts';
import { readAll } from './support/read-all.ts';

/** kafkajs waits a second for a response and then retries by itself; within this time it would have. */
const retriesWithinMs = 2500;

await describeCluster('responses that get lost', () => {
  let cluster: KafkaCluster;
  let proxy: FlakyProxy;
  const newClient = () =>
    createKafkaClient(
      { brokers: [proxy.address], clientId: 'test', connectTimeoutMs: 1_000, requestTimeoutMs: 1_000 },
      { logger: silentLogger },
    );
  beforeAll(async () => {
    cluster = await startKafkaCluster({
      count: 1,
      advertise: async (address) => {
        proxy = await startFlakyProxy(address);
        return proxy.address;
      },
    });
  });
  afterEach(() => proxy.setMode('open'));
  afterAll(async () => {
    await proxy?.close();
    await cluster?.close();
  });

  const record = (key: string) => ({ partition: 0, key, value: Buffer.from('v'), headers: {} });
  const keysOf = async (topic: string, count: number) => (await readAll([proxy.address], topic, count)).map((message) => message.key);

  it('kafkajs: after a failed but stored send, the next one is dropped as a duplicate', async () => {
    const topic = 'rolled-back.bare';
    await createTopicAt([proxy.address], topic, { partitions: 1 });
    const producer = bareKafka([proxy.address]).producer({
      idempotent: true,
      retry: { retries: 1, initialRetryTime: 50 },
      createPartitioner: () => () => 0,
    });
    await producer.connect();
    const send = (key: string) => producer.send({ topic, messages: [record(key)] });
    await send('a');
    proxy.setMode('answers-lost');
    await expect(send('stored, response lost')).rejects.toThrow();
    proxy.setMode('open');
    await send('acknowledged, never stored');
    await send('b');
    await producer.disconnect();
    expect(await keysOf(topic, 3)).toEqual(['a', 'stored, response lost', 'b']);
  });

  it('guarded: acknowledged records are stored, whichever sends failed before', async () => {
    const topic = 'rolled-back.guarded';
    await createTopicAt([proxy.address], topic, { partitions: 1 });
    const client = newClient();
    const producer = createSafeProducer(client, { sendTimeoutMs: 2_000 });
    const send = (key: string) => producer.send(topic, [record(key)]);
    await send('a');
    proxy.setMode('answers-lost');
    await expect(send('stored, response lost')).rejects.toMatchObject({ code: 'kafka_unavailable', retryable: true });
    proxy.setMode('open');
    await send('acknowledged');
    await producer.close();
    await client.close();
    expect(await keysOf(topic, 3)).toEqual(['a', 'stored, response lost', 'acknowledged']);
  });

  it('times out on a silent broker and writes nothing later', async () => {
    const topic = 'silent.producer';
    await createTopicAt([proxy.address], topic, { partitions: 1 });
    const client = newClient();
    const producer = createSafeProducer(client, { sendTimeoutMs: 500 });
    await producer.send(topic, [record('a')]);
    proxy.setMode('silent');
    await expect(producer.send(topic, [record('given up')])).rejects.toMatchObject({ code: 'kafka_unavailable' });
    proxy.setMode('open');
    await sleep(retriesWithinMs);
    await producer.send(topic, [record('b')]);
    await producer.close();
    await client.close();
    expect(await keysOf(topic, 2)).toEqual(['a', 'b']);
  });

  it('replaces a consumer of a silent broker and releases its partitions after the session', async () => {
    const topic = 'silent.consumer';
    await createTopicAt([proxy.address], topic, { partitions: 1 });
    const client = newClient();
    const producer = createSafeProducer(client);
    await producer.send(
      topic,
      range(5).map((n) => record(String(n))),
    );
    const collector = new Collector();
    const { onAssigned, onRevoked, onBatch, capacity } = collector;
    const consumer = createGuardedConsumer(client, {
      groupId: topic,
      topic,
      onAssigned,
      onRevoked,
      onBatch,
      capacity,
      sessionTimeoutMs: 1_500,
      rebalanceTimeoutMs: 2_000,
      pollMs: 100,
    });
    await collector.received(5);
    await consumer.commit(new Map([[0, 5n]]));
    proxy.setMode('silent');
    await collector.until(() => collector.owned.size === 0);
    expect(consumer.health()).toMatchObject({ isMember: false });
    await expect(consumer.commit(new Map([[0, 5n]]))).resolves.toBeUndefined();
    proxy.setMode('open');
    await collector.until(() => collector.owned.size === 1);
    await producer.send(topic, [record('after')]);
    await collector.received(6);
    expect(collector.offsets(0)).toEqual(range(6));
    expect(consumer.health().rebuilds).toBeGreaterThan(0);
    await consumer.stop();
    await producer.close();
    await client.close();
  });
});
