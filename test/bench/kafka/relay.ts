import { randomUUID } from 'node:crypto';
import { noMetrics, silentLogger, uuidv7 } from '@pulsewire/kernel';
import { expandSamples, packSamples, renderSummary } from '@pulsewire/contract';
import { openDatabase, type Database } from '@pulsewire/database';
import { createDatabase } from '@pulsewire/database/testing';
import { startTestServer } from '../../support/test-server.ts';
import { maintainLog, readFrom, readLag, firstShardCount, withEvents, type LogEvent, type NewEvent } from '@pulsewire/eventlog';
import {
  findRecordType,
  openKafka,
  prepareKafka,
  relayGroup,
  runRelay,
  type KafkaConfig,
  type OpenKafka,
  type OutgoingRecord,
} from '@pulsewire/kafka';
import { startKafkaCluster } from '../../support/kafka/cluster.ts';
import { startRegistry } from '../../support/kafka/registry.ts';
import { describeMachine, median, perSecond, type Benchmark, type Line } from '../report.ts';

const batchSize = 1000;
const day = Date.UTC(2026, 0, 5);
const source = { provider: 'fitbit', type: 'watch' } as const;

/** How fast the relay publishes the log to Kafka, compared with plain kafkajs and the same records; and the cost of Avro. */
export const relayBenchmark: Benchmark = {
  name: 'relay',
  async run({ isQuick }) {
    const [server, cluster, registry] = [
      await startTestServer({ durable: true }),
      await startKafkaCluster({ count: 1 }),
      await startRegistry(),
    ];
    const url = await createDatabase(server.adminUrl, 'bench_relay', server.template);
    const database = openDatabase({ url, connectionsMax: 4 });
    const config = benchConfig(cluster.addresses, registry.url);
    let kafka: OpenKafka | undefined;
    try {
      console.log(`  ${describeMachine(`Postgres ${server.majorVersion}, fsync on; one broker`)}`);
      await maintainLog(database, { today: new Date().toISOString().slice(0, 10), keepDays: 30 });
      await prepareKafka(config, silentLogger);
      kafka = await openKafka({ config, logger: silentLogger, metrics: noMetrics });
      return await measure(database, kafka, isQuick ? 10_000 : 30_000, isQuick ? 2 : 4);
    } finally {
      await kafka?.close();
      await database.close();
      await Promise.all([cluster.close(), registry.close()]);
      await server.stop();
    }
  },
};

/** Settings for one broker without TLS and passwords. */
export function benchConfig(brokers: readonly string[], schemaRegistryUrl: string): KafkaConfig {
  const access = {
    kafkaTls: false,
    kafkaTlsCaFile: undefined,
    kafkaSaslMechanism: 'none',
    kafkaSaslUsername: undefined,
    kafkaSaslPassword: undefined,
  } as const;
  return {
    kafkaBrokers: brokers,
    schemaRegistryUrl,
    ...access,
    kafkaClientId: 'bench',
    kafkaTopicPrefix: 'bench.',
    kafkaPartitions: 16,
    kafkaReplication: 1,
    kafkaRetentionHours: 120,
  };
}

/** One event in five is a summary, the others are an hour of heart rate. */
function makeEvent(number: number, teamId: string): NewEvent {
  const userId = randomUUID();
  const head = { eventId: uuidv7(), teamId, userId, clientUserId: 'someone', origin: 'live', traceId: null } as const;
  if (number % 5 === 0) {
    const summary = {
      kind: 'summary',
      id: randomUUID(),
      resource: 'activity',
      source,
      calendarDate: '2026-01-05',
      at: day,
      data: { steps: number, distance: number / 3, calories_total: 2100.5 },
    } as const;
    return {
      ...head,
      eventType: 'daily.data.activity.created',
      body: { kind: 'json', json: JSON.stringify(renderSummary({ summary, userId, createdAt: day, updatedAt: day })) },
    };
  }
  const samples = Array.from({ length: 60 }, (_, minute) => ({
    ts: day + minute * 60_000,
    value: 60 + ((number + minute * 7) % 40),
    timezoneOffset: 3600,
  }));
  return {
    ...head,
    eventType: 'daily.data.heartrate.created',
    body: { kind: 'samples', packed: packSamples({ userId, sourceId: 3, source, resource: 'heartrate' }, samples) },
  };
}

async function measure(database: Database, kafka: OpenKafka, events: number, rounds: number): Promise<readonly Line[]> {
  const ours: number[] = [];
  const bare: number[] = [];
  const teamId = randomUUID();
  // Round 0 warms up; the two sides take turns so that both see the same machine.
  for (let round = 0; round <= rounds; round++) {
    for (let written = 0; written < events; written += 500) {
      await withEvents(database, async (_tx, emit) => {
        for (let number = 0; number < 500; number++) emit(makeEvent(written + number, teamId));
      });
    }
    const oursMs = await relayAll(database, kafka);
    const batches = await makeBatches(database, kafka, events);
    const bareMs = await sendBare(kafka, batches);
    if (round === 0) continue;
    ours.push(oursMs);
    bare.push(bareMs);
  }
  return [
    {
      what: 'relay, from the log in Postgres to the acknowledgement, positions recorded',
      figure: `${perSecond(events, median(ours))} events`,
      against: `kafkajs with the same records ready-made, ${batchSize} events a batch: ${perSecond(events, median(bare))}`,
      ratio: median(bare) / median(ours),
      aim: '>= 0.7',
    },
    ...(await encodeCost(database)),
  ];
}

async function relayAll(database: Database, kafka: OpenKafka): Promise<number> {
  const stopping = new AbortController();
  const start = performance.now();
  const running = runRelay(
    {
      ...kafka,
      database,
      memberId: randomUUID(),
      logger: silentLogger,
      metrics: noMetrics,
    },
    stopping.signal,
  );
  do await new Promise((resolve) => setTimeout(resolve, 20));
  while ((await readLag(database, relayGroup)).events > 0 || performance.now() - start < 50);
  const tookMs = performance.now() - start;
  stopping.abort();
  await running;
  return tookMs;
}

async function lastEvents(database: Database, count: number): Promise<readonly LogEvent[]> {
  const [row] = await database.sql<
    { total: string }[]
  >`SELECT sum(coalesce(g.ends_at, s.next_offset) - g.begins_at)::text AS total FROM log_shards s JOIN log_generations g USING (shard)`;
  const perShard = Math.max(0, Math.floor((Number(row?.total ?? 0) - count) / firstShardCount));
  const points = Array.from({ length: firstShardCount }, (_, shard) => ({ shard, offset: perShard, day: '2020-01-01' }));
  return (await readFrom(database, points, count)).slice(0, count);
}

async function makeBatches(database: Database, kafka: OpenKafka, count: number): Promise<readonly ReadonlyMap<string, OutgoingRecord[]>[]> {
  const batches: Map<string, OutgoingRecord[]>[] = [];
  for (const [index, event] of (await lastEvents(database, count)).entries()) {
    if (index % batchSize === 0) batches.push(new Map());
    const batch = batches.at(-1);
    const made = await kafka.writer.recordsOf(event);
    for (const [topic, record] of [
      [kafka.names.events, made.event] as const,
      ...made.states.map((state) => [state.topic, state.record] as const),
    ]) {
      batch?.set(topic, [...(batch.get(topic) ?? []), record]);
    }
  }
  return batches;
}

async function sendBare(kafka: OpenKafka, batches: readonly ReadonlyMap<string, OutgoingRecord[]>[]): Promise<number> {
  const producer = kafka.client.producer({
    idempotent: true,
    allowAutoTopicCreation: false,
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition ?? 0,
  });
  await producer.api.connect();
  const start = performance.now();
  for (const batch of batches) {
    await producer.api.sendBatch({ acks: -1, topicMessages: [...batch].map(([topic, messages]) => ({ topic, messages })) });
  }
  const tookMs = performance.now() - start;
  await producer.close();
  return tookMs;
}

async function encodeCost(database: Database): Promise<readonly Line[]> {
  const events = await lastEvents(database, 4000);
  const lines: Line[] = [];
  for (const kind of ['json', 'samples'] as const) {
    const some = events.filter(({ body }) => body.kind === kind);
    const [first] = some;
    const record = first && findRecordType(first.eventType);
    if (!record) continue;
    const encoded = some.map(({ body }) => record.encode(body).bytes);
    const timeUs = (work: () => void) => {
      work();
      const start = performance.now();
      for (let round = 0; round < 5; round++) work();
      return ((performance.now() - start) * 1000) / (5 * some.length);
    };
    const encodeUs = timeUs(() => some.forEach(({ body }) => record.encode(body)));
    const decodeUs = timeUs(() => encoded.forEach((bytes) => record.reader.toJson(bytes)));
    const jsonBytes = some.reduce((sum, { body }) => sum + (body.kind === 'json' ? body.json : expandSamples(body.packed)).length, 0);
    const avroBytes = encoded.reduce((sum, bytes) => sum + bytes.length, 0);
    lines.push({
      what: kind === 'json' ? 'Avro of a summary' : 'Avro of a batch of 60 samples',
      figure: `${encodeUs.toFixed(1)} µs to write, ${decodeUs.toFixed(1)} µs to read back as the webhook's JSON, ${Math.round(avroBytes / some.length)} B`,
      against: `JSON ${Math.round(jsonBytes / some.length)} B`,
    });
  }
  return lines;
}
