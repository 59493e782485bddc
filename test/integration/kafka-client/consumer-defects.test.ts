import { BrokerPool } from './support/kafkajs-internals.ts';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { silentLogger, sleep } from '@pulsewire/kernel';
import {
  createGuardedConsumer,
  createKafkaClient,
  createSafeProducer,
  type GuardedConsumer,
  type GuardedConsumerOptions,
} from '@pulsewire/kafka/client';
import type { Consumer, EachMessagePayload } from 'kafkajs';
import { bareKafka, describeKafka } from '../../support/kafka/use-kafka.ts';
import { Collector, range } from './support/collector.ts';

/** Each defect of kafkajs 2.2.4 twice: unguarded, to notice when a later version no longer needs the guard, and behind the guard. */
describeKafka('defects of the kafkajs consumer', (kafka) => {
  const client = createKafkaClient(
    { brokers: kafka.brokers.length > 0 ? kafka.brokers : ['none:1'], clientId: 'test' },
    { logger: silentLogger },
  );
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });
  afterAll(() => client.close());

  function consume(topic: string, collector: Collector, options: Partial<GuardedConsumerOptions> = {}): GuardedConsumer {
    const { onAssigned, onRevoked, onBatch, capacity } = collector;
    const consumer = createGuardedConsumer(client, {
      groupId: kafka.uniqueName('group'),
      topic,
      onAssigned,
      onRevoked,
      onBatch,
      capacity,
      pollMs: 100,
      ...options,
    });
    opened.push({ close: () => consumer.stop() });
    return consumer;
  }

  async function consumeBare(
    topic: string,
    eachMessage: (payload: EachMessagePayload) => Promise<void>,
    sessionTimeout = 30_000,
  ): Promise<Consumer> {
    const consumer = bareKafka(kafka.brokers).consumer({
      groupId: kafka.uniqueName('group'),
      maxWaitTimeInMs: 100,
      sessionTimeout,
      heartbeatInterval: Math.round(sessionTimeout / 6),
      // The default, with shorter pauses so that the test does not take a minute.
      retry: { retries: 5, initialRetryTime: 20 },
    });
    opened.push({ close: () => consumer.disconnect() });
    await consumer.connect();
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await consumer.run({ eachMessage });
    return consumer;
  }

  const crash = (consumer: Consumer) =>
    new Promise<{ restart: boolean; error: Error }>((resolve) => consumer.on('consumer.crash', ({ payload }) => resolve(payload)));

  async function write(topic: string, count: number): Promise<void> {
    const producer = createSafeProducer(client);
    await producer.send(
      topic,
      range(count).map((n) => ({ partition: 0, key: String(n), value: Buffer.from('v'), headers: {} })),
    );
    await producer.close();
  }

  describe('the retry budget is never restored', () => {
    it('kafkajs: a few records that each fail once and then succeed stop the consumer', async () => {
      const topic = await kafka.createTopic({ partitions: 1 });
      await write(topic, 10);
      const failed = new Set<string>();
      const handled: string[] = [];
      const consumer = await consumeBare(topic, async ({ message }) => {
        if (!failed.has(message.offset)) {
          failed.add(message.offset);
          throw new Error('once');
        }
        handled.push(message.offset);
      });
      await crash(consumer);
      expect(handled.length).toBeLessThan(10);
    });

    it('guarded: every record is handled and the consumer keeps running', async () => {
      const topic = await kafka.createTopic({ partitions: 1 });
      await write(topic, 10);
      const failed = new Set<bigint>();
      const collector = new Collector();
      collector.before = (_, [first]) => {
        if (!first || failed.has(first.offset)) return;
        failed.add(first.offset);
        throw new Error('once');
      };
      const consumer = consume(topic, collector, { partitionBytesMax: 1 });
      await collector.received(10);
      for (const n of range(10, 10)) {
        await write(topic, 1);
        await collector.received(n + 1);
      }
      expect(failed.size).toBeGreaterThan(10);
      expect(collector.offsets(0)).toEqual(range(20));
      expect(consumer.health()).toMatchObject({ isMember: true, rebuilds: 0 });
    });
  });

  describe('some errors stop the consumer permanently', () => {
    it('kafkajs: one TypeError stops consumption without a report', async () => {
      const topic = await kafka.createTopic({ partitions: 1 });
      await write(topic, 3);
      let calls = 0;
      const consumer = await consumeBare(topic, async () => {
        calls++;
        if (calls === 1) throw new TypeError('of a bad record');
      });
      const { restart } = await crash(consumer);
      expect(restart).toBe(false);
      // Another consumer joins and reads everything meanwhile.
      const other = new Collector();
      consume(topic, other);
      await other.received(3);
      expect(calls).toBe(1);
    });

    it('guarded: a new consumer replaces one that a TypeError stopped', async () => {
      const topic = await kafka.createTopic({ partitions: 1 });
      await write(topic, 3);
      const collector = new Collector();
      const consumer = consume(topic, collector);
      await collector.received(3);
      await consumer.commit(new Map([[0, 3n]]));
      // As in kafkajs' issue 1441: "Cannot read property 'brokers' of null" while metadata is refreshed.
      const { refreshMetadataIfNecessary } = BrokerPool.prototype;
      let left = 1;
      BrokerPool.prototype.refreshMetadataIfNecessary = async function (topics) {
        if (left-- > 0) throw new TypeError("Cannot read property 'brokers' of null");
        return refreshMetadataIfNecessary.call(this, topics);
      };
      try {
        await collector.until(() => collector.history.length === 3);
      } finally {
        BrokerPool.prototype.refreshMetadataIfNecessary = refreshMetadataIfNecessary;
      }
      await write(topic, 3);
      await collector.received(6);
      expect(collector.offsets(0)).toEqual(range(6));
      expect(collector.history).toEqual(['assigned 0', 'revoked 0', 'assigned 0']);
      expect(consumer.health()).toEqual({ isMember: true, rebuilds: 1, lastReason: 'TypeError' });
    });
  });

  describe('heartbeats stop while a handler runs', () => {
    const sessionTimeoutMs = Math.max(1_500, kafka.sessionTimeoutMinMs);

    it('kafkajs: a handler slower than the session timeout gets its record twice', async () => {
      const topic = await kafka.createTopic({ partitions: 1 });
      await write(topic, 1);
      let calls = 0;
      const again = new Promise<void>((resolve) => {
        void consumeBare(
          topic,
          async () => {
            calls++;
            if (calls > 1) return resolve();
            await sleep(sessionTimeoutMs * 2);
          },
          sessionTimeoutMs,
        );
      });
      await again;
      expect(calls).toBe(2);
    });

    it('guarded: a consumer without capacity for three sessions stays a member and repeats nothing', async () => {
      const topic = await kafka.createTopic({ partitions: 1 });
      await write(topic, 2);
      const collector = new Collector();
      collector.before = () => {
        collector.hasRoom = false;
      };
      const consumer = consume(topic, collector, { sessionTimeoutMs, partitionBytesMax: 1 });
      await collector.received(1);
      await write(topic, 2);
      const received = collector.messages.length;
      await sleep(sessionTimeoutMs * 3);
      expect(collector.messages.length).toBe(received);
      expect(consumer.health()).toEqual({ isMember: true, rebuilds: 0, lastReason: null });
      collector.before = () => {};
      collector.hasRoom = true;
      await collector.received(4);
      expect(collector.offsets(0)).toEqual(range(4));
      expect(collector.history).toEqual(['assigned 0']);
    });
  });
});
