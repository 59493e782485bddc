import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import { withEvents, type NewEvent } from '@pulsewire/eventlog';
import { connectionOf, createKafkaClient, createSafeProducer, headOf, markerKey, redrivePoison, setAside } from '@pulsewire/kafka';
import { fenceProducer } from '@pulsewire/kafka/client';
import { useDatabase } from '../../support/database.ts';
import { describeKafka } from '../../support/kafka/use-kafka.ts';
import { readToEnd } from './support/read-to-end.ts';
import { failure } from './readers.ts';
import { useKafkaHarness } from './support/kafka-harness.ts';
import { processEnv } from '../../support/process-env.ts';
import { program } from '../../support/programs/program.ts';

describeKafka('compacted topics', (kafka) => {
  const database = useDatabase({ connectionsMax: 20 });
  const harness = useKafkaHarness(kafka, () => database.current);
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  });

  /** The last and the highest sequence of each key on the topic of connections. */
  async function readKeys(): Promise<ReadonlyMap<string, { last: number; highest: number }>> {
    const keys = new Map<string, { last: number; highest: number }>();
    const client = createKafkaClient(await connectionOf(harness.config), { logger: silentLogger });
    for (const { key, headers } of await readToEnd(client, harness.kafka.names.connections, kafka.uniqueName('keys'))) {
      const sequence = headOf(headers)?.head.offset ?? -1;
      if (String(key) === markerKey) continue;
      const known = keys.get(String(key));
      keys.set(String(key), { last: sequence, highest: Math.max(sequence, known?.highest ?? -1) });
    }
    await client.close();
    return keys;
  }

  async function emit(...events: readonly NewEvent[]): Promise<void> {
    await withEvents(database.current, async (_tx, push) => events.forEach((event) => push({ ...event, eventId: randomUUID() })));
  }

  test('a relay that resumes after a freeze cannot publish after its successor has taken over', async () => {
    const users = Array.from({ length: 40 }, () => randomUUID());
    let written = 0;
    const writeMany = async () => {
      for (let batch = 0; batch < 20; batch++, written += 600)
        await emit(...Array.from({ length: 600 }, (_, index) => failure(users[index % users.length] ?? '', `${written + index}`)));
    };
    await writeMany();
    const relay = spawn(process.execPath, [program('services/relay/src/main.ts')], {
      env: {
        ...processEnv,
        DATABASE_URL: database.url,
        HEALTH_PORT: '0',
        KAFKA_BROKERS: kafka.brokers.join(','),
        SCHEMA_REGISTRY_URL: kafka.registryUrl,
        KAFKA_TOPIC_PREFIX: harness.config.kafkaTopicPrefix,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    relay.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const exited = once(relay, 'exit');
    cleanups.push(async () => {
      relay.kill('SIGCONT');
      relay.kill('SIGTERM');
      await exited;
    });
    const published = async () => {
      const [row] = await database.current.sql<{ count: number }[]>`
        SELECT coalesce(sum("offset"), 0)::int AS count FROM log_positions WHERE consumer = 'relay'`;
      return row?.count ?? 0;
    };
    // Frozen mid-run, with a full window in flight; more events are written for a faster relay.
    for (let frozenAt = 0; ; await writeMany()) {
      await expect.poll(published, { timeout: 60_000, interval: 5 }).toBeGreaterThan(frozenAt + 100);
      relay.kill('SIGSTOP');
      frozenAt = await published();
      if (frozenAt < written - 3000) break;
      relay.kill('SIGCONT');
    }
    for (let round = 0; round < 3; round++) await emit(...users.map((userId) => failure(userId, `last ${round}`)));
    const stopSuccessor = harness.startRelay({ leaseMs: 5000 });
    cleanups.push(stopSuccessor);
    await harness.relayed();
    relay.kill('SIGCONT');
    // On a slow machine the requests in flight time out before the brokers can reject them.
    await expect.poll(() => output, { timeout: 30_000 }).toMatch(/relay\.fenced|kafka_producer_fenced|relay\.batch_not_published/);
    await harness.relayed();

    const keys = await readKeys();
    expect(keys.size).toBe(users.length);
    expect([...keys.values()].filter(({ last, highest }) => last !== highest)).toEqual([]);
  }, 180_000);

  test('a fenced producer is rejected, even when it resends under a higher epoch', async () => {
    const topic = await kafka.createTopic({ partitions: 2 });
    const client = createKafkaClient(await connectionOf(harness.config), { logger: silentLogger });
    cleanups.push(() => client.close());
    const record = (partition: number) => ({ partition, key: 'key', value: Buffer.from('value'), headers: {} });
    const zombie = createSafeProducer(client, { keepsIdentity: true });
    await zombie.send(topic, [record(0), record(1)]);
    await fenceProducer(client, await zombie.producerId(), new Map([[topic, [record(0)]]]));
    // Another fence of the same producer, as by a successor that died meanwhile.
    await fenceProducer(client, await zombie.producerId(), new Map([[topic, [record(0)]]]));
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(zombie.send(topic, [record(0)])).rejects.toMatchObject({ code: 'kafka_producer_fenced' });
    await zombie.send(topic, [record(1)]);
    await zombie.close();
  });

  test('a relay does not fence a producer id recorded for another cluster', async () => {
    const client = createKafkaClient(await connectionOf(harness.config), { logger: silentLogger });
    cleanups.push(() => client.close());
    const innocent = createSafeProducer(client, { keepsIdentity: true });
    const topic = harness.kafka.names.connections;
    const record = (partition: number) => ({ partition, key: markerKey, value: null, headers: {} });
    const records = Array.from({ length: harness.kafka.partitions }, (_, partition) => record(partition));
    await innocent.send(topic, records);
    await database.current.sql`
      INSERT INTO relay_writers (shard, member, producer_id, cluster_id)
      SELECT shard, 'gone', ${await innocent.producerId()}::bigint, 'another cluster' FROM log_shards`;
    const stop = harness.startRelay();
    cleanups.push(stop);
    await emit(...Array.from({ length: 60 }, () => failure(randomUUID(), 'after the switch')));
    await harness.relayed();
    await expect(innocent.send(topic, records)).resolves.toBeUndefined();
    await innocent.close();
    await stop();
    await database.current.sql`DELETE FROM relay_writers`;
  });

  test('live relays hand shards over without fencing each other', async () => {
    const users = Array.from({ length: 60 }, () => randomUUID());
    const fences: string[] = [];
    const metrics = { ...noMetrics, count: (name: string) => void (name === 'relay_fences_total' && fences.push(name)) };
    const stops = [harness.startRelay({ metrics })];
    for (let round = 0; round < 6; round++) {
      await emit(...users.map((userId) => failure(userId, `${round}`)));
      if (round % 2 === 0) stops.push(harness.startRelay({ metrics }));
      else await stops.shift()?.();
    }
    await harness.relayed();
    for (const stop of stops) await stop();
    expect(fences).toEqual([]);
    expect(await database.current.sql`SELECT 1 FROM relay_writers`).toHaveLength(0);
  });

  test('a redrive publishes a state only if the log has nothing newer for its key', async () => {
    const [stale, current] = [randomUUID(), randomUUID()];
    const stop = harness.startRelay();
    const first = failure(stale, 'set aside, then superseded');
    await emit(first);
    await emit(failure(current, 'published'));
    await emit(failure(stale, 'newer'), failure(current, 'set aside'));
    await harness.relayed();
    await stop();
    const rows = await database.current.sql<{ shard: number; offset: string; day: string; event_id: string; event_type: string }[]>`
      SELECT shard, "offset", day::text, event_id, event_type FROM log_events
      WHERE json LIKE '%set aside%' AND user_id = ANY(${`{${stale},${current}}`}::uuid[])`;
    expect(rows).toHaveLength(2);
    await setAside(
      database.current,
      rows.map(({ shard, offset, day, event_id: eventId, event_type: eventType }) => ({
        consumer: 'relay',
        shard,
        offset: Number(offset),
        day,
        eventId,
        eventType,
        reason: 'no_schema',
        detail: '',
      })),
    );
    const producer = harness.kafka.createProducer();
    const outcome = await redrivePoison({
      database: database.current,
      writer: harness.kafka.writer,
      producer,
      topicPrefix: harness.config.kafkaTopicPrefix,
    });
    await producer.close();
    expect(outcome).toEqual({ published: 2, superseded: 1, refused: 0, gone: 0 });
    const keys = await readKeys();
    for (const userId of [stale, current]) {
      const [newest] = await database.current.sql<{ offset: string }[]>`
        SELECT max("offset")::text AS "offset" FROM log_events WHERE user_id = ${userId}`;
      expect(keys.get(`${userId}:demo`)).toEqual({ last: Number(newest?.offset), highest: Number(newest?.offset) });
    }
  });
});
