import { createSecretKey, randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { noMetrics, silentLogger, uuidToBase62 } from '@pulsewire/kernel';
import { firstShardCount, generationOf, readLag, reshard, shardOf, type LogEvent } from '@pulsewire/eventlog';
import {
  reservePrefix,
  createKafkaLog,
  headersOf,
  partitionOf,
  sealOf,
  stampRecords,
  type IncomingHeaders,
  type OutgoingRecord,
} from '@pulsewire/kafka';
import type { CollectingSink } from '../../support/collecting-sink.ts';
import { useDatabase } from '../../support/database.ts';
import { describeKafka } from '../../support/kafka/use-kafka.ts';
import { detailsOf, failure, useReaders } from './readers.ts';
import { useKafkaHarness } from './support/kafka-harness.ts';

vi.setConfig({ testTimeout: 90_000 });

describeKafka('generations of the log on Kafka', (kafka) => {
  const database = useDatabase({ connectionsMax: 30 });
  const other = useDatabase({ connectionsMax: 2 });
  const harness = useKafkaHarness(kafka, () => database.current);
  const { emitAll, join, startRelay, stored } = useReaders(() => database.current, harness);
  const detailsFor = (sink: CollectingSink, userId: string) => sink.events.filter((event) => event.userId === userId).map(detailsOf);

  test('delivers the real event, not a forged record with its shard, sequence and id', async () => {
    const userId = randomUUID();
    const sink = await join(harness.createLog(), 'forged');
    await emitAll([failure(userId, 'real')]);
    const [real] = (await stored(userId)) as [LogEvent];
    const forged = { ...real, body: failure(userId, 'forged').body };
    const { event: record } = await harness.kafka.writer.recordsOf(forged);
    const headers = { ...record.headers, ce_installation: randomUUID() };
    const mac = sealOf({ installationId: '', macKey: createSecretKey(Buffer.alloc(32)) }, headers, record.value);
    const producer = harness.kafka.createProducer();
    const records: OutgoingRecord[] = [record, { ...record, headers: { ...headers, mac } }];
    await producer.send(harness.kafka.names.events, records);
    await producer.close();
    startRelay();
    await sink.received(1);
    await emitAll([failure(userId, 'next')]);
    await sink.received(2);
    expect(detailsFor(sink, userId)).toEqual(['real', 'next']);
  });

  test('accepts records of its own relay without reading Postgres', async () => {
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
      leaseMs: 1500,
    });
    const sink = await join(log, 'own');
    await emitAll([failure(userId, '0'), failure(userId, '1')]);
    await sink.received(2);
    expect(detailsFor(sink, userId)).toEqual(['0', '1']);
    // Earlier records of this topic are foreign; no gap had to be filled from Postgres.
    expect(counted).not.toContain('log_gap_events_total');
  });

  test('drops records that a lost primary published beyond the end of its generation', async () => {
    const userId = randomUUID();
    const shard = shardOf(userId);
    startRelay();
    const running = await join(harness.createLog(), 'running');
    await emitAll([failure(userId, '0'), failure(userId, '1')]);
    await running.received(2);
    await running.recorded();
    await harness.relayed();
    await emitAll(['lost 2', 'lost 3', 'lost 4'].map((details) => failure(userId, details)));
    await running.received(5);
    await running.recorded();
    await harness.relayed();
    // The database as on a standby that was promoted without the last three events.
    const [second] = (await stored(userId)).slice(1) as [LogEvent];
    const end = second.offset + 1;
    await database.current.transaction(async (tx) => {
      await tx.sql`DELETE FROM log_events WHERE shard = ${shard} AND "offset" >= ${end}`;
      await tx.sql`UPDATE log_positions SET "offset" = ${end} WHERE shard = ${shard} AND "offset" > ${end}`;
      await tx.sql`UPDATE log_shards SET next_offset = ${end} WHERE shard = ${shard}`;
      await tx.sql`UPDATE log_shards SET timeline = '00000000'`;
    });
    await emitAll([failure(userId, '2'), failure(userId, '3')]);
    await expect.poll(() => detailsFor(running, userId).slice(5), { timeout: 20_000 }).toEqual(['2', '3']);
    const fresh = await join(harness.createLog(), 'fresh', () => {}, 'start');
    await expect.poll(() => detailsFor(fresh, userId), { timeout: 20_000 }).toEqual(['0', '1', '2', '3']);
    const last = fresh.events.findLast((event) => event.userId === userId);
    expect(generationOf(last?.offset ?? 0)).toBe(generationOf(second.offset) + 1);
    await expect.poll(async () => (await readLag(database.current, 'fresh')).events, { timeout: 20_000 }).toBe(0);
  });

  test('record headers name installation, generation and the ends of earlier generations', async () => {
    const userId = randomUUID();
    await emitAll([failure(userId, '0')]);
    const [event] = (await stored(userId)) as [LogEvent];
    const { event: record } = await (await stampRecords(harness.kafka.writer, database.current)).recordsOf(event);
    const [identity] = await database.current.sql<{ installation_id: string }[]>`SELECT installation_id FROM log_installation`;
    const [earlier] = await database.current.sql<{ ends_at: string }[]>`
      SELECT ends_at FROM log_generations WHERE shard = ${event.shard} AND generation = 1`;
    expect(record.headers).toMatchObject({
      ...headersOf(event, true),
      ce_id: `msg_${uuidToBase62(event.eventId)}`,
      ce_installation: identity?.installation_id,
      ce_generation: '2',
      ce_shard: String(event.shard),
      ce_sequence: String(event.offset).padStart(16, '0'),
      ce_generationends: `1=${earlier?.ends_at ?? ''}`,
    } satisfies IncomingHeaders);
    expect(record?.partition).toBe(partitionOf(event.shard, harness.kafka.partitions));
  });

  test('rejects a topic prefix owned by another installation', async () => {
    const parts = { client: harness.kafka.client, config: harness.config, logger: silentLogger };
    await reservePrefix({ ...parts, database: database.current });
    await other.current.sql`UPDATE log_installation SET installation_id = gen_random_uuid()`;
    await expect(reservePrefix({ ...parts, database: other.current })).rejects.toMatchObject({ code: 'prefix_in_use' });
    await reservePrefix({ ...parts, database: database.current });
  });

  // This test comes last: from here on the log of this file has more shards.
  test('doubling the shards under writers, relay and readers keeps every event in order per user', async () => {
    startRelay();
    const users = Array.from({ length: 60 }, () => randomUUID());
    const readers = [await join(harness.createLog(), 'growing'), await join(harness.createLog(), 'growing')];
    const rounds = 20;
    let written = 0;
    const writers = users.map(async (userId) => {
      for (let number = 0; number < rounds; number++) {
        await emitAll([failure(userId, String(number))]);
        written += 1;
      }
    });
    await expect.poll(() => written, { timeout: 60_000, interval: 5 }).toBeGreaterThan(users.length * 3);
    await reshard(database.current, firstShardCount * 2);
    expect(written).toBeLessThan(users.length * rounds);
    await Promise.all(writers);
    const all = () => readers.flatMap((sink) => sink.events.filter(({ userId }) => users.some((one) => one === userId)));
    await expect.poll(() => new Set(all().map(({ eventId }) => eventId)).size, { timeout: 60_000 }).toBe(users.length * rounds);
    for (const userId of users) {
      for (const sink of readers) {
        const seen = [...new Set(detailsFor(sink, userId).map(Number))];
        expect(seen).toEqual(seen.toSorted((a, b) => a - b));
      }
    }
    expect(all().some(({ shard }) => shard >= firstShardCount)).toBe(true);
    await expect
      .poll(() => readers.reduce((sum, sink) => sum + (sink.consumption?.owned().length ?? 0), 0), { timeout: 30_000 })
      .toBe(firstShardCount * 2);
    await expect.poll(async () => (await readLag(database.current, 'growing')).events, { timeout: 30_000 }).toBe(0);
  });
});
