import net from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '@pulsewire/kernel';
import {
  createGuardedConsumer,
  createKafkaClient,
  createSafeProducer,
  type GuardedConsumer,
  type KafkaClient,
} from '@pulsewire/kafka/client';
import { startKafkaCluster, type KafkaCluster } from '../../support/kafka/cluster.ts';
import { startFlakyProxy, type FlakyProxy, type RequestKind } from '../../support/kafka/flaky-proxy.ts';
import { createTopicAt, describeCluster } from '../../support/kafka/use-kafka.ts';
import { Collector, range } from './support/collector.ts';

await describeCluster('a broker that takes requests and never answers', () => {
  let cluster: KafkaCluster;
  let proxy: FlakyProxy;
  const clients: KafkaClient[] = [];
  beforeAll(async () => {
    cluster = await startKafkaCluster({
      count: 1,
      advertise: async (address) => {
        proxy = await startFlakyProxy(address);
        return proxy.address;
      },
    });
  });
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await proxy?.close();
    await cluster?.close();
  });

  function newClient(clientId: string, brokers: readonly string[] = [proxy.address]): KafkaClient {
    const client = createKafkaClient({ brokers, clientId, connectTimeoutMs: 1_000, requestTimeoutMs: 1_000 }, { logger: silentLogger });
    clients.push(client);
    return client;
  }

  function consume(client: KafkaClient, topic: string, collector: Collector): GuardedConsumer {
    const { onAssigned, onRevoked, onBatch, capacity } = collector;
    const times = { sessionTimeoutMs: 1_500, rebalanceTimeoutMs: 1_500, pollMs: 100, stalledAfterMs: 2_000 };
    return createGuardedConsumer(client, { groupId: topic, topic, onAssigned, onRevoked, onBatch, capacity, ...times });
  }

  const record = (key: number) => ({ partition: 0, key: String(key), value: Buffer.from('v'), headers: {} });

  async function write(topic: string, from: number, to: number): Promise<void> {
    const producer = createSafeProducer(newClient('writer'));
    await producer.send(topic, range(to - from, from).map(record));
    await producer.close();
  }

  /** A consumer whose requests of these kinds hang, while it reads or from its start, until it was replaced at least once. */
  async function survives(kinds: readonly RequestKind[], when: 'reading' | 'starting'): Promise<number> {
    const name = `${when}.${kinds.join('.')}`;
    await createTopicAt([proxy.address], name, { partitions: 1 });
    await write(name, 0, 5);
    const collector = new Collector();
    let release = () => {};
    if (when === 'starting') release = proxy.swallow(name, kinds);
    const consumer = consume(newClient(name), name, collector);
    if (when === 'reading') {
      await collector.received(5);
      release = proxy.swallow(name, kinds);
    }
    await write(name, 5, 10);
    await expect.poll(() => consumer.health().rebuilds, { timeout: 45_000, message: name }).toBeGreaterThan(0);
    release();
    await expect.poll(() => new Set(collector.offsets(0)), { timeout: 45_000, message: name }).toEqual(new Set(range(10)));
    await consumer.stop();
    return consumer.health().rebuilds;
  }

  it('replaces a reading consumer when any of its requests hangs', { timeout: 120_000 }, async () => {
    const phases: readonly (readonly RequestKind[])[] = [['Fetch'], ['Heartbeat'], ['Fetch', 'Metadata']];
    const rebuilds = await Promise.all(phases.map((kinds) => survives(kinds, 'reading')));
    expect(Math.min(...rebuilds)).toBeGreaterThan(0);
  });

  it('replaces a starting consumer when any of its requests hangs', { timeout: 120_000 }, async () => {
    const phases: readonly RequestKind[] = ['ApiVersions', 'Metadata', 'FindCoordinator', 'JoinGroup', 'SyncGroup', 'OffsetFetch', 'Fetch'];
    const rebuilds = await Promise.all(phases.map((kind) => survives([kind], 'starting')));
    expect(Math.min(...rebuilds)).toBeGreaterThan(0);
  });

  it('makes a producer time out on any request, and the next send succeeds', async () => {
    const topic = 'producer.phases';
    await createTopicAt([proxy.address], topic, { partitions: 1 });
    const phases: readonly RequestKind[] = ['ApiVersions', 'Metadata', 'InitProducerId', 'Produce'];
    await Promise.all(
      phases.map(async (kind) => {
        const clientId = `producer.${kind}`;
        const producer = createSafeProducer(newClient(clientId), { sendTimeoutMs: 2_500 });
        const release = proxy.swallow(clientId, [kind]);
        await expect(producer.send(topic, [record(0)])).rejects.toMatchObject({ code: 'kafka_unavailable', retryable: true });
        release();
        await expect.poll(() => producer.send(topic, [record(1)]).then(() => 'sent'), { timeout: 20_000, message: kind }).toBe('sent');
        await producer.close();
      }),
    );
  });

  it('does not prevent the use of brokers listed after it', async () => {
    const topic = 'named.first';
    await createTopicAt([proxy.address], topic, { partitions: 1 });
    const sockets = new Set<net.Socket>();
    const hanging = net.createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      socket.resume();
    });
    await new Promise<void>((resolve) => hanging.listen(0, '127.0.0.1', resolve));
    const client = newClient(topic, [`127.0.0.1:${(hanging.address() as net.AddressInfo).port}`, proxy.address]);
    const collector = new Collector();
    const consumer = consume(client, topic, collector);
    const producer = createSafeProducer(client);
    const written = producer.send(topic, [record(0)]);
    const second = createSafeProducer(client);
    await Promise.all([written, second.send(topic, [record(1)])]);
    await collector.received(2);
    expect(collector.owned).toEqual(new Set([0]));
    await Promise.all([consumer.stop(), producer.close(), second.close()]);
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => hanging.close(resolve));
  });
});
