import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { noMetrics, silentLogger, sleep, systemClock, uuidv7 } from '@pulsewire/kernel';
import { renderSummary } from '@pulsewire/contract';
import { createTeam } from '@pulsewire/connections';
import { createCipher, openDatabase, parseCipherKeys, type Database } from '@pulsewire/database';
import { createDatabase } from '@pulsewire/database/testing';
import { startTestServer } from '../../support/test-server.ts';
import { maintainLog, readLag, withEvents, type NewEvent } from '@pulsewire/eventlog';
import { openKafka, prepareKafka, relayGroup, runRelay } from '@pulsewire/kafka';
import { createEndpoint, maintainAttempts } from '@pulsewire/webhooks';
import { Child } from '../../fault/harness/child.ts';
import { startKafkaCluster } from '../../support/kafka/cluster.ts';
import { startRegistry } from '../../support/kafka/registry.ts';
import { benchConfig } from './relay.ts';
import { describeMachine, median, perSecond, type BenchOptions, type Benchmark, type Line } from '../report.ts';
import { BenchSink } from '../sink.ts';

const ownDispatcher = path.join(import.meta.dirname, '../../../services/dispatcher/src/main.ts');

/** Deliveries per second of one dispatcher that reads Kafka, compared with the same dispatcher reading Postgres. */
export const deliveryKafkaBenchmark: Benchmark = { name: 'delivery-kafka', run: (options) => compareLogs(options, ownDispatcher) };

/** The comparison for a given dispatcher program. */
export async function compareLogs({ isQuick }: BenchOptions, dispatcherFile: string): Promise<readonly Line[]> {
  const sink = await BenchSink.start();
  const [server, cluster, registry] = [
    await startTestServer({ durable: true }),
    await startKafkaCluster({ count: 1 }),
    await startRegistry(),
  ];
  const url = await createDatabase(server.adminUrl, `bench_delivery_kafka_${randomBytes(3).toString('hex')}`, server.template);
  const database = openDatabase({ url, name: 'bench', connectionsMax: 4 });
  const config = benchConfig(cluster.addresses, registry.url);
  const encryptionKeys = `1:${randomBytes(32).toString('base64')}`;
  const env = {
    DATABASE_URL: url,
    ENCRYPTION_KEYS: encryptionKeys,
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    HEALTH_PORT: '0',
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'json',
  };
  const kafkaEnv = {
    ...env,
    KAFKA_BROKERS: cluster.addresses.join(','),
    SCHEMA_REGISTRY_URL: registry.url,
    KAFKA_TOPIC_PREFIX: config.kafkaTopicPrefix,
  };
  const logs = { postgres: [] as number[], kafka: [] as number[] };
  try {
    console.log(`  ${describeMachine(`Postgres ${server.majorVersion}, fsync on; one broker`)}`);
    const teamId = await prepare(database, encryptionKeys, sink.url);
    await prepareKafka(config, silentLogger);
    const kafka = await openKafka({ config, logger: silentLogger, metrics: noMetrics });
    const events = isQuick ? 8000 : 40_000;
    const warmUp = isQuick ? 8000 : 30_000;
    for (let round = 0; round <= (isQuick ? 1 : 3); round++) {
      for (const log of ['postgres', 'kafka'] as const) {
        await commitAll(database, teamId, warmUp + events);
        // The relay is stopped while deliveries are counted, for both.
        const stopping = new AbortController();
        const relay = {
          ...kafka,
          database,
          memberId: randomUUID(),
          logger: silentLogger,
          metrics: noMetrics,
        };
        const running = runRelay(relay, stopping.signal);
        do await sleep(100);
        while ((await readLag(database, relayGroup)).events > 0);
        stopping.abort();
        await running;
        await sink.reset();
        const dispatcher = new Child({ name: 'dispatcher', file: dispatcherFile, env: log === 'kafka' ? kafkaEnv : env });
        dispatcher.start();
        const tookMs = await drainTime(sink, warmUp, events);
        while ((await readLag(database, 'dispatcher')).events > 0) await sleep(20);
        await dispatcher.stop();
        if (round > 0) logs[log].push(tookMs);
      }
    }
    await kafka.close();
    const [ours, bare] = [median(logs.kafka), median(logs.postgres)];
    const what = 'deliveries by one dispatcher that reads Kafka, signed and recorded';
    return [
      {
        what,
        figure: perSecond(events, ours),
        against: `the same that reads Postgres ${perSecond(events, bare)}`,
        ratio: bare / ours,
        aim: '>= 0.9',
      },
    ];
  } finally {
    await database.close();
    await Promise.all([cluster.close(), registry.close(), sink.close()]);
    await server.stop();
  }
}

async function prepare(database: Database, encryptionKeys: string, url: string): Promise<string> {
  const today = new Date().toISOString().slice(0, 10);
  await maintainLog(database, { today, keepDays: 30 });
  await maintainAttempts(database, { today, keepDays: 90 });
  const team = await createTeam(database, systemClock, { name: 'bench', isSandbox: false });
  await createEndpoint({ database, cipher: createCipher(parseCipherKeys(encryptionKeys)), clock: systemClock }, team.teamId, { url });
  // Before the first dispatcher: one that starts at the end would miss events written before it joins.
  await database.sql`INSERT INTO log_positions (consumer, shard, "offset", day) SELECT 'dispatcher', shard, next_offset, day FROM log_shards ON CONFLICT DO NOTHING`;
  return team.teamId;
}

async function commitAll(database: Database, teamId: string, count: number): Promise<void> {
  const at = Date.UTC(2026, 0, 5);
  const source = { provider: 'fitbit', type: 'watch' };
  const make = (number: number): NewEvent => {
    const userId = randomUUID();
    const data = { steps: number, distance: number / 3 };
    const summary = { kind: 'summary', id: randomUUID(), resource: 'activity', source, calendarDate: '2026-01-05', at, data } as const;
    const json = JSON.stringify(renderSummary({ summary, userId, createdAt: at, updatedAt: at }));
    return {
      eventId: uuidv7(),
      eventType: 'daily.data.activity.created',
      teamId,
      userId,
      clientUserId: 'bench',
      origin: 'live',
      traceId: null,
      body: { kind: 'json', json },
    };
  };
  for (let written = 0; written < count; written += 500) {
    await withEvents(database, async (_tx, emit) => {
      for (let number = 0; number < 500; number++) emit(make(written + number));
    });
  }
}

/** From the arrival after `warmUp` others to the last: excludes the start of the process and the compilation of its code. */
async function drainTime(sink: BenchSink, warmUp: number, events: number): Promise<number> {
  for (let waitedMs = 0; (await sink.count()) < warmUp + events && waitedMs < 120_000; waitedMs += 50) await sleep(50);
  const times = [...(await sink.arrivals()).values()].toSorted((a, b) => a - b);
  return (times.at(-1) ?? Number.NaN) - (times[warmUp] ?? 0);
}
