import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { firstShardCount, newGeneration, shardOf } from '@pulsewire/eventlog';
import { createGuardedConsumer, createKafkaLog, headerText, markerKey, partitionOf } from '@pulsewire/kafka';
import { useDatabase } from '../../support/database.ts';
import { describeKafka } from '../../support/kafka/use-kafka.ts';
import { detailsOf, failure, useReaders } from './readers.ts';
import { useKafkaHarness } from './support/kafka-harness.ts';

vi.setConfig({ testTimeout: 90_000 });

describeKafka('markers of generations on the event topic', (kafka) => {
  const database = useDatabase({ connectionsMax: 30 });
  const harness = useKafkaHarness(kafka, () => database.current);
  const { emitAll, join } = useReaders(() => database.current, harness);

  test('appear once per shard in its partition, and dispatchers skip them', async () => {
    const userId = randomUUID();
    const shard = shardOf(userId);
    const counted: string[] = [];
    const log = createKafkaLog({
      database: database.current,
      source: harness.kafka.eventsSource,
      registry: harness.kafka.registry,
      groupPrefix: harness.config.kafkaTopicPrefix,
      logger: silentLogger,
      metrics: { ...noMetrics, count: (name: string) => void counted.push(name) },
      leaseMs: 1500,
    });
    const sink = await join(log, 'markers');
    const markers: { partition: number; shard: string | null; generation: string | null; ends: string | null }[] = [];
    const pipeline = createGuardedConsumer(harness.kafka.client, {
      groupId: kafka.uniqueName('markers'),
      topic: harness.kafka.names.events,
      onAssigned() {},
      onRevoked() {},
      capacity: () => true,
      onBatch(partition, messages) {
        for (const { key, value, headers } of messages) {
          if (String(key) !== markerKey || headerText(headers, 'marker') !== 'generation') continue;
          expect(value).toBeNull();
          const [name, ends] = [headerText(headers, 'ce_shard'), headerText(headers, 'ce_generationends')];
          markers.push({ partition, shard: name, generation: headerText(headers, 'ce_generation'), ends });
        }
      },
    });
    const announced = async (generation: number) => {
      const [row] = await database.current.sql<{ shards: number }[]>`
        SELECT count(*)::int AS shards FROM relay_generations WHERE generation = ${generation}`;
      return row?.shards;
    };

    const stop = harness.startRelay();
    await emitAll([failure(userId, '0'), failure(userId, '1')]);
    await sink.received(2);
    await sink.recorded();
    await newGeneration(database.current);
    await expect.poll(() => announced(2), { timeout: 30_000 }).toBe(firstShardCount);
    await stop();
    // Another relay, which has nothing left to announce, and then one more generation.
    const stopNext = harness.startRelay();
    await newGeneration(database.current);
    await expect.poll(() => announced(3), { timeout: 30_000 }).toBe(firstShardCount);
    await emitAll([failure(userId, '2')]);
    await expect.poll(() => sink.events.map(detailsOf), { timeout: 30_000 }).toEqual(['0', '1', '2']);
    await expect.poll(() => markers.length, { timeout: 30_000 }).toBe(2 * firstShardCount);
    await stopNext();

    const ours = markers.filter((marker) => marker.shard === String(shard));
    const partition = partitionOf(shard, harness.kafka.partitions);
    expect(ours).toEqual([
      { partition, shard: String(shard), generation: '2', ends: '1=2' },
      { partition, shard: String(shard), generation: '3', ends: `1=2 2=${2 ** 36}` },
    ]);
    expect(counted).not.toContain('log_foreign_records_total');
    await pipeline.stop();
  });
});
