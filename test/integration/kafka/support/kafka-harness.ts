import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { noMetrics, silentLogger, type Logger, type Metrics } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { readLag, type EventLog } from '@pulsewire/eventlog';
import { createKafkaLog, openKafka, prepareKafka, relayGroup, runRelay, type KafkaConfig, type OpenKafka } from '@pulsewire/kafka';
import type { KafkaForTests } from '../../../support/kafka/use-kafka.ts';

/** Topics for one test file with the schemas registered, and relays on the database of a test. */
export interface KafkaHarness {
  readonly config: KafkaConfig;
  readonly kafka: OpenKafka;
  /** Starts a relay; the returned function stops it. */
  startRelay(options?: { readonly leaseMs?: number; readonly logger?: Logger; readonly metrics?: Metrics }): () => Promise<void>;
  createLog(leaseMs?: number): EventLog;
  /** Resolves when Kafka has acknowledged every event written so far. */
  relayed(): Promise<void>;
}

export function configFor(kafka: KafkaForTests, prefix: string, partitions = 16): KafkaConfig {
  return {
    kafkaBrokers: kafka.brokers,
    schemaRegistryUrl: kafka.registryUrl,
    kafkaTls: false,
    kafkaTlsCaFile: undefined,
    kafkaSaslMechanism: 'none',
    kafkaSaslUsername: undefined,
    kafkaSaslPassword: undefined,
    kafkaClientId: 'test',
    kafkaTopicPrefix: prefix,
    kafkaPartitions: partitions,
    kafkaReplication: 1,
    kafkaRetentionHours: 120,
  };
}

/** Prepares topics, schemas and connections before the tests of the file, and closes them afterwards. */
export function useKafkaHarness(
  kafka: KafkaForTests,
  database: () => Database,
  options: { readonly partitions?: number } = {},
): KafkaHarness {
  const config = configFor(kafka, `${kafka.uniqueName('harness')}.`, options.partitions);
  const stops = new Set<() => Promise<void>>();
  let open: OpenKafka | undefined;
  const current = () => {
    if (!open) throw new Error('useKafkaHarness: not before beforeAll');
    return open;
  };
  beforeAll(async () => {
    await prepareKafka(config, silentLogger);
    open = await openKafka({ config, logger: silentLogger, metrics: noMetrics });
  });
  afterAll(async () => {
    await Promise.all([...stops].map((stop) => stop()));
    await open?.close();
  });
  return {
    config,
    get kafka() {
      return current();
    },
    startRelay({ leaseMs = 1500, logger = silentLogger, metrics = noMetrics } = {}) {
      const stopping = new AbortController();
      const running = runRelay(
        {
          ...current(),
          database: database(),
          memberId: randomUUID(),
          logger,
          metrics,
          leaseMs,
        },
        stopping.signal,
      );
      const stop = async () => {
        stops.delete(stop);
        stopping.abort();
        await running;
      };
      stops.add(stop);
      return stop;
    },
    createLog: (leaseMs = 1500) =>
      createKafkaLog({
        database: database(),
        source: current().eventsSource,
        registry: current().registry,
        groupPrefix: config.kafkaTopicPrefix,
        logger: silentLogger,
        metrics: noMetrics,
        leaseMs,
      }),
    async relayed() {
      const { sql } = database();
      for (;;) {
        const [row] = await sql<{ unknown: boolean }[]>`
          SELECT EXISTS (SELECT 1 FROM log_shards s LEFT JOIN log_positions p ON p.shard = s.shard AND p.consumer = ${relayGroup}
                         WHERE p.shard IS NULL) AS unknown`;
        if (row?.unknown === false && (await readLag(database(), relayGroup)).events === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}
