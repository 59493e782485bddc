import { randomUUID } from 'node:crypto';
import zlib from 'node:zlib';
import kafkajs from 'kafkajs';
import { expect, test } from 'vitest';
import { noMetrics, silentLogger, sleep } from '@pulsewire/kernel';
import { readIdentity, shardOf } from '@pulsewire/eventlog';
import {
  connectionOf,
  createKafkaClient,
  createKafkaLog,
  createSafeProducer,
  listPoison,
  partitionOf,
  redrivePoison,
  sealOf,
} from '@pulsewire/kafka';
import { codecFault, withAdmin } from '@pulsewire/kafka/client';
import { useDatabase } from '../../support/database.ts';
import { describeKafka } from '../../support/kafka/use-kafka.ts';
import { failure, textOf, useReaders } from './readers.ts';
import { useKafkaHarness } from './support/kafka-harness.ts';

/** After this time without a heartbeat, the broker takes a member's partitions away. */
const sessionTimeoutMs = 6000;

describeKafka('trouble on the harness over Kafka', (kafka) => {
  const database = useDatabase({ connectionsMax: 20 });
  const harness = useKafkaHarness(kafka, () => database.current);
  const { emitAll, join, startRelay, stored } = useReaders(() => database.current, harness);

  test('an event that matches no schema is set aside, blocks nothing and can be redriven', async () => {
    const userId = randomUUID();
    startRelay();
    const sink = await join(harness.createLog(), 'poison');
    const bad = { ...failure(userId, ''), body: { kind: 'json', json: '{"user_id":"x","secret":"health"}' } } as const;
    await emitAll([failure(userId, 'before'), bad, failure(userId, 'after'), bad]);
    await sink.received(4);
    // The reader got it from Postgres: webhooks lose nothing.
    expect(sink.events.map(textOf)).toEqual((await stored(userId)).map(textOf));
    await harness.relayed();
    const poison = (await listPoison(database.current)).filter(({ eventId }) => eventId === bad.eventId);
    expect(poison).toHaveLength(2);
    expect(poison[0]).toMatchObject({ consumer: 'relay', reason: 'missing_key', detail: '/provider' });
    const producer = harness.kafka.createProducer();
    const redrive = () =>
      redrivePoison({ database: database.current, writer: harness.kafka.writer, producer, topicPrefix: harness.config.kafkaTopicPrefix });
    expect(await redrive()).toMatchObject({ published: 0, refused: 2 });
    await database.current
      .sql`UPDATE log_events SET json = (SELECT json FROM log_events WHERE user_id = ${userId} ORDER BY "offset" LIMIT 1) WHERE user_id = ${userId} AND event_id = ${bad.eventId}`;
    expect(await redrive()).toMatchObject({ published: 2, refused: 0 });
    await producer.close();
    expect((await listPoison(database.current)).filter(({ eventId }) => eventId === bad.eventId)).toEqual([]);
  });

  test('a rejected position in one shard does not stop the relay in the others', async () => {
    const { sql } = database.current;
    const users = Array.from({ length: 40 }, () => randomUUID());
    const refusedShard = shardOf(users[0] ?? '');
    await sql.unsafe(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '22003'; END $$;
      CREATE TRIGGER refuses BEFORE UPDATE ON log_positions FOR EACH ROW
        WHEN (NEW.consumer = 'relay' AND NEW.shard = ${refusedShard} AND NEW."offset" > OLD."offset") EXECUTE FUNCTION refuse()`);
    startRelay();
    const sink = await join(harness.createLog(), 'refused');
    await emitAll(users.map((userId) => failure(userId, 'one')));
    await sink.received(users.length);
    const behind = () => sql<{ shard: number }[]>`
      SELECT p.shard FROM log_positions p JOIN log_shards s USING (shard) WHERE p.consumer = 'relay' AND p."offset" < s.next_offset`;
    await expect.poll(behind, { timeout: 20_000 }).toEqual([{ shard: refusedShard }]);
    await sql.unsafe('DROP TRIGGER refuses ON log_positions; DROP FUNCTION refuse()');
  });

  test('an event without a schema yet is delivered, set aside, and published once it has one', async () => {
    const userId = randomUUID();
    startRelay();
    const sink = await join(harness.createLog(), 'unknown');
    const unknown = { ...failure(userId, ''), eventType: 'something.nobody.has.described' };
    await emitAll([failure(userId, 'before'), unknown, failure(userId, 'after')]);
    await sink.received(3);
    expect(sink.events.map(({ eventType }) => eventType)).toEqual((await stored(userId)).map(({ eventType }) => eventType));
    await harness.relayed();
    const [poison] = (await listPoison(database.current)).filter(({ eventId }) => eventId === unknown.eventId);
    expect(poison).toMatchObject({ consumer: 'relay', reason: 'no_schema', detail: '' });
    // As a later version would, because it knows the type.
    await database.current.sql`UPDATE log_events SET event_type = 'provider.connection.error' WHERE event_id = ${unknown.eventId}`;
    const producer = harness.kafka.createProducer();
    await redrivePoison({
      database: database.current,
      writer: harness.kafka.writer,
      producer,
      topicPrefix: harness.config.kafkaTopicPrefix,
    });
    await producer.close();
    expect((await listPoison(database.current)).filter(({ eventId }) => eventId === unknown.eventId)).toEqual([]);
  });

  test('foreign and unreadable records do not stop a reader', async () => {
    const userId = randomUUID();
    startRelay();
    const sink = await join(harness.createLog(), 'foreign');
    await emitAll([failure(userId, '0')]);
    await sink.received(1);
    const client = createKafkaClient(await connectionOf(harness.config), { logger: silentLogger });
    const producer = createSafeProducer(client);
    const partition = partitionOf(shardOf(userId), harness.kafka.partitions);
    const [first] = await stored(userId);
    const headers = { shard: String(shardOf(userId)), sequence: String((first?.offset ?? 0) + 1), day: first?.day ?? '' };
    // A record with the sequence of the next event, before that one is written: it must not be taken for it.
    await producer.send(harness.kafka.names.events, [
      { partition, key: 'x', value: Buffer.from('not ours'), headers: {} },
      { partition, key: userId, value: null, headers: {} },
    ]);
    await emitAll([failure(userId, '1')]);
    await producer.send(harness.kafka.names.events, [{ partition, key: userId, value: Buffer.from([0, 0, 0, 0, 99, 1]), headers }]);
    await emitAll([failure(userId, '2')]);
    await sink.received(3);
    expect(sink.events.map(textOf)).toEqual((await stored(userId)).map(textOf));
    await producer.close();
    await client.close();
  });

  test('a record in a form of a newer version is not taken for an event, and its event comes from Postgres', async () => {
    const userId = randomUUID();
    startRelay();
    const counted: string[] = [];
    const log = createKafkaLog({
      database: database.current,
      source: harness.kafka.eventsSource,
      registry: harness.kafka.registry,
      groupPrefix: harness.config.kafkaTopicPrefix,
      logger: silentLogger,
      metrics: { ...noMetrics, count: (name: string) => void counted.push(name) },
    });
    const sink = await join(log, 'newer');
    await emitAll([failure(userId, '0')]);
    await sink.received(1);
    const client = createKafkaClient(await connectionOf(harness.config), { logger: silentLogger });
    const producer = createSafeProducer(client);
    const [first] = await stored(userId);
    const shard = shardOf(userId);
    const headers = { shard: String(shard), sequence: String((first?.offset ?? 0) + 1), day: first?.day ?? '' };
    const mac = sealOf(await readIdentity(database.current), headers, Buffer.from([9]));
    await producer.send(harness.kafka.names.events, [
      {
        partition: partitionOf(shard, harness.kafka.partitions),
        key: userId,
        value: Buffer.from([9]),
        headers: { ...headers, mac, record_format: '2' },
      },
    ]);
    await expect.poll(() => counted, { timeout: 10_000 }).toContain('log_newer_records_total');
    await emitAll([failure(userId, '1')]);
    await sink.received(2);
    expect(sink.events.map(textOf)).toEqual((await stored(userId)).map(textOf));
    await producer.close();
    await client.close();
  });

  test('a reader gets every event in order while the records on the topic cannot be decompressed', async () => {
    const userId = randomUUID();
    const topic = harness.kafka.names.events;
    await withAdmin(harness.kafka.client, 'a codec', (admin) =>
      admin.alterConfigs({
        validateOnly: false,
        resources: [{ type: kafkajs.ConfigResourceTypes.TOPIC, name: topic, configEntries: [{ name: 'compression.type', value: 'zstd' }] }],
      }),
    );
    startRelay();
    const { zstdDecompress } = zlib;
    // As in a Node without zstd.
    Object.assign(zlib, { zstdDecompress: undefined });
    try {
      const sink = await join(harness.createLog(), 'codec');
      await emitAll(Array.from({ length: 50 }, (_, index) => failure(userId, String(index))));
      await harness.relayed();
      await sink.received(50);
      expect(sink.events.map(textOf)).toEqual((await stored(userId)).map(textOf));
      expect(codecFault()).toMatchObject({ code: 'kafka_records_unreadable' });
    } finally {
      Object.assign(zlib, { zstdDecompress });
    }
  });

  test('a slow consumer keeps its partitions and gets every event in order', async () => {
    const userId = randomUUID();
    startRelay();
    const slow = await join(harness.createLog(), 'slow', (sink) => (sink.available = 0));
    await expect.poll(() => slow.consumption?.owned().length, { timeout: 10_000 }).toBe(64);
    await emitAll(Array.from({ length: 3000 }, (_, index) => failure(userId, String(index))));
    await harness.relayed();
    await sleep(sessionTimeoutMs + 1000);
    expect(slow.revokedShards).toEqual([]);
    expect(slow.events).toHaveLength(0);
    slow.available = 10_000;
    slow.consumption?.wake();
    await slow.received(3000);
    expect(slow.events.map(({ offset }) => offset)).toEqual((await stored(userId)).map(({ offset }) => offset));
  });
});
