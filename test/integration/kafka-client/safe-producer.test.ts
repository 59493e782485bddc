import { afterAll, expect, it } from 'vitest';
import { silentLogger } from '@pulsewire/kernel';
import { createKafkaClient, createSafeProducer, readTopicEnds, type KafkaRecord } from '@pulsewire/kafka/client';
import { describeKafka } from '../../support/kafka/use-kafka.ts';
import { readAll } from './support/read-all.ts';

describeKafka('the safe producer', (kafka) => {
  const client = createKafkaClient(
    { brokers: kafka.brokers.length > 0 ? kafka.brokers : ['none:1'], clientId: 'test' },
    { logger: silentLogger },
  );
  afterAll(() => client.close());

  it('writes keys, headers and tombstones unchanged, in order, to the requested partition', async () => {
    const topic = await kafka.createTopic({ partitions: 3 });
    const producer = createSafeProducer(client);
    const records: KafkaRecord[] = Array.from({ length: 30 }, (_, n) => ({
      partition: n % 3,
      key: `key-${n}`,
      value: n % 10 === 9 ? null : Buffer.from([n, 0, 255]),
      headers: { ce_id: `msg_${n}`, origin: 'live' },
    }));
    await producer.send(topic, records);
    await producer.close();

    const read = await readAll(kafka.brokers, topic, 30);
    for (const partition of [0, 1, 2]) {
      const expected = records.filter((record) => record.partition === partition);
      const found = read.filter((message) => message.partition === partition);
      expect(found.map((message) => message.key)).toEqual(expected.map((record) => record.key));
      expect(found.map((message) => message.value)).toEqual(expected.map((record) => record.value));
      expect(found.map((message) => message.headers)).toEqual(expected.map((record) => record.headers));
    }
  });

  it('splits batches above the broker limit and keeps the order', async () => {
    const topic = await kafka.createTopic({ partitions: 1 });
    const producer = createSafeProducer(client);
    const value = Buffer.alloc(300_000, 7);
    const records = Array.from({ length: 12 }, (_, n) => ({ partition: 0, key: String(n), value, headers: {} }));
    await producer.send(topic, records);
    await producer.close();
    const read = await readAll(kafka.brokers, topic, 12);
    expect(read.map((message) => message.key)).toEqual(records.map((record) => record.key));
  });

  it('keeps the order of overlapping calls that share requests', async () => {
    const topic = await kafka.createTopic({ partitions: 2 });
    const producer = createSafeProducer(client);
    const calls = Array.from({ length: 200 }, (_, n) =>
      producer.send(topic, [{ partition: n % 2, key: String(n), value: null, headers: {} }]),
    );
    await Promise.all(calls);
    await producer.close();
    const read = await readAll(kafka.brokers, topic, 200);
    for (const partition of [0, 1]) {
      const keys = read.filter((message) => message.partition === partition).map((message) => Number(message.key));
      expect(keys).toEqual(Array.from({ length: 100 }, (_, n) => n * 2 + partition));
    }
  });

  it('rejects a call with an oversized record without writing any of it', async () => {
    const topic = await kafka.createTopic({ partitions: 1 });
    const producer = createSafeProducer(client);
    const records = [Buffer.alloc(10), Buffer.alloc(1_100_000)].map((value, n) => ({ partition: 0, key: String(n), value, headers: {} }));
    await expect(producer.send(topic, records)).rejects.toMatchObject({ code: 'kafka_record_too_large', retryable: false });
    await producer.send(topic, [{ partition: 0, key: 'after', value: null, headers: {} }]);
    await producer.close();
    expect((await readTopicEnds(client, topic)).get(0)?.next).toBe(1n);
  });

  it('reports records above a lower topic limit and still sends those that fit', async () => {
    const topic = await kafka.createTopic({ partitions: 1, settings: { 'max.message.bytes': '1000' } });
    const producer = createSafeProducer(client);
    const send = (bytes: number) => producer.send(topic, [{ partition: 0, key: 'k', value: Buffer.alloc(bytes), headers: {} }]);
    await expect(send(5_000)).rejects.toMatchObject({ code: 'kafka_record_too_large', retryable: false });
    await send(100);
    await producer.close();
    expect((await readTopicEnds(client, topic)).get(0)?.next).toBe(1n);
  });

  it('times out without a response and fails the queued calls', async () => {
    const nobody = createKafkaClient({ brokers: ['127.0.0.1:1'], clientId: 'test' }, { logger: silentLogger });
    const producer = createSafeProducer(nobody, { sendTimeoutMs: 1_500 });
    const calls = [1, 2].map((n) => producer.send('topic', [{ partition: 0, key: String(n), value: null, headers: {} }]));
    const outcomes = await Promise.allSettled(calls);
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'kafka_unavailable', retryable: true } });
    await producer.close();
    await nobody.close();
  });

  it('fails queued calls when it is closed', async () => {
    const nobody = createKafkaClient({ brokers: ['127.0.0.1:1'], clientId: 'test' }, { logger: silentLogger });
    const producer = createSafeProducer(nobody);
    const sending = producer.send('topic', [{ partition: 0, key: 'k', value: null, headers: {} }]);
    const [outcome] = await Promise.allSettled([sending, producer.close()]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'kafka_unavailable' } });
    await nobody.close();
  });
});
