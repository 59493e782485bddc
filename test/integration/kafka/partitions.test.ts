import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { firstShardCount, readLag, reshard, shardOf } from '@pulsewire/eventlog';
import { createKafkaLog, openKafka, runRelay, topicCatalogue } from '@pulsewire/kafka';
import { useDatabase } from '../../support/database.ts';
import { bareKafka, describeKafka } from '../../support/kafka/use-kafka.ts';
import { detailsOf, failure, useReaders } from './readers.ts';
import { useKafkaHarness } from './support/kafka-harness.ts';

describeKafka('more partitions for the log on Kafka', (kafka) => {
  const database = useDatabase({ connectionsMax: 30 });
  const harness = useKafkaHarness(kafka, () => database.current, { partitions: firstShardCount });
  const { emitAll, join, leave } = useReaders(() => database.current, harness);

  test('growing from 64 to 128 shards and partitions under writers keeps every event in order', { timeout: 120_000 }, async () => {
    const stopOldRelay = harness.startRelay();
    const first = await join(harness.createLog(), 'growing');
    const users = Array.from({ length: 40 }, () => randomUUID());
    let isOver = false;
    const writers = users.map(async (userId) => {
      let number = 0;
      for (; !isOver || number < 20; number++) await emitAll([failure(userId, String(number))]);
      return number;
    });
    await first.received(users.length * 2);

    const admin = bareKafka(kafka.brokers).admin();
    await admin.connect();
    const topics = topicCatalogue({ ...harness.config, kafkaPartitions: firstShardCount * 2 });
    await admin.createPartitions({ topicPartitions: topics.map(({ name, partitions }) => ({ topic: name, count: partitions })) });
    const open = async () => openKafka({ config: harness.config, logger: silentLogger, metrics: noMetrics });
    await expect
      .poll(
        async () => {
          const looked = await open();
          await looked.close();
          return looked.partitions;
        },
        { timeout: 20_000 },
      )
      .toBe(firstShardCount * 2);
    await admin.disconnect();

    const grown = await open();
    await stopOldRelay();
    const stopping = new AbortController();
    const parts = { database: database.current, logger: silentLogger, metrics: noMetrics, leaseMs: 1500 };
    const relaying = runRelay(
      { ...parts, client: grown.client, writer: grown.writer, names: grown.names, partitions: grown.partitions, memberId: randomUUID() },
      stopping.signal,
    );
    await leave(first);
    const log = () =>
      createKafkaLog({ ...parts, source: grown.eventsSource, registry: grown.registry, groupPrefix: harness.config.kafkaTopicPrefix });
    const readers = [await join(log(), 'growing'), await join(log(), 'growing')];
    await reshard(database.current, firstShardCount * 2);
    await expect
      .poll(() => readers.some(({ events }) => events.some(({ shard }) => shard >= firstShardCount)), { timeout: 60_000 })
      .toBe(true);
    isOver = true;
    const counts = await Promise.all(writers);
    const sinks = [first, ...readers];
    const total = counts.reduce((sum, count) => sum + count, 0);
    await expect
      .poll(() => new Set(sinks.flatMap(({ events }) => events.map(({ eventId }) => eventId))).size, { timeout: 60_000 })
      .toBe(total);
    for (const userId of users) {
      for (const sink of sinks) {
        const seen = [...new Set(sink.events.filter((event) => event.userId === userId).map((event) => Number(detailsOf(event))))];
        expect(seen).toEqual(seen.toSorted((a, b) => a - b));
      }
    }
    expect(users.some((userId) => shardOf(userId, firstShardCount * 2) >= firstShardCount)).toBe(true);
    await expect.poll(async () => (await readLag(database.current, 'growing')).events, { timeout: 30_000 }).toBe(0);
    await Promise.all(readers.map((sink) => leave(sink)));
    stopping.abort();
    await relaying;
    await grown.close();
  });
});
