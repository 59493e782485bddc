import zlib from 'node:zlib';
import { expect, it } from 'vitest';
import { silentLogger, type Logger } from '@pulsewire/kernel';
import { codecFault, createGuardedConsumer, createKafkaClient, createSafeProducer } from '@pulsewire/kafka/client';
import { describeKafka } from '../../support/kafka/use-kafka.ts';
import { Collector } from './support/collector.ts';

describeKafka('a topic whose broker converts records', (kafka) => {
  const value = Buffer.from('pulse '.repeat(20_000));

  async function writeTo(topic: string): Promise<void> {
    const client = createKafkaClient({ brokers: kafka.brokers, clientId: 'test' }, { logger: silentLogger });
    const producer = createSafeProducer(client);
    for (const key of ['a', 'b']) await producer.send(topic, [{ partition: 0, key, value, headers: {} }]);
    await producer.close();
    await client.close();
  }

  it.each(['lz4', 'snappy', 'zstd'])('to %s is read', async (codec) => {
    const topic = await kafka.createTopic({ partitions: 1, settings: { 'compression.type': codec } });
    await writeTo(topic);
    const client = createKafkaClient({ brokers: kafka.brokers, clientId: 'test' }, { logger: silentLogger });
    const collector = new Collector();
    const values: (Buffer | null)[] = [];
    const consumer = createGuardedConsumer(client, {
      groupId: topic,
      topic,
      onAssigned: collector.onAssigned,
      onRevoked: collector.onRevoked,
      capacity: collector.capacity,
      onBatch(partition, messages) {
        values.push(...messages.map((message) => message.value));
        collector.onBatch(partition, messages);
      },
    });
    await collector.received(2);
    expect(values.map((one) => one?.equals(value))).toEqual([true, true]);
    expect(consumer.health().lastReason).not.toBe('RECORDS_UNREADABLE');
    expect(codecFault()).toBeUndefined();
    await consumer.stop();
    await client.close();
  });

  it('to a codec that this process lacks is a fault, and tried ever more slowly until it can be read', async () => {
    const topic = await kafka.createTopic({ partitions: 1, settings: { 'compression.type': 'zstd' } });
    await writeTo(topic);
    const failures: unknown[] = [];
    const logger: Logger = {
      ...silentLogger,
      warn: (fields, event) => void (event === 'kafka.consumer_rebuilt' && failures.push((fields as { failures: unknown }).failures)),
      child: () => logger,
    };
    const client = createKafkaClient({ brokers: kafka.brokers, clientId: 'test' }, { logger });
    const collector = new Collector();
    const { onAssigned, onRevoked, onBatch, capacity } = collector;
    const { zstdDecompress } = zlib;
    // As in a Node without zstd.
    Object.assign(zlib, { zstdDecompress: undefined });
    const consumer = createGuardedConsumer(client, { groupId: topic, topic, onAssigned, onRevoked, onBatch, capacity });
    try {
      await expect.poll(() => failures.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
      expect(failures.slice(0, 3)).toEqual([1, 2, 3]);
      expect(consumer.health().lastReason).toBe('RECORDS_UNREADABLE');
      expect(codecFault()).toMatchObject({ code: 'kafka_records_unreadable', message: expect.stringContaining('zstd') });
    } finally {
      Object.assign(zlib, { zstdDecompress });
    }
    await collector.received(2);
    expect(codecFault()).toBeUndefined();
    await consumer.stop();
    await client.close();
  });
});
