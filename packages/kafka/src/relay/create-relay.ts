import type { Database } from '@pulsewire/database';
import { createPostgresLog, reportLag } from '@pulsewire/eventlog';
import { errorCode, sleep, systemClock, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import { readClusterId } from '../client/admin.ts';
import type { KafkaClient } from '../client/kafka-client.ts';
import { fenceProducer } from '../client/producer/fence-producer.ts';
import { createSafeProducer } from '../client/producer/safe-producer.ts';
import type { EventWriter } from '../records/event-writer.ts';
import { markerRecord } from '../records/marker.ts';
import { relayGroup } from '../records/relay-group.ts';
import { partitionOf, type topicNames } from '../records/topics.ts';
import { GenerationAnnouncer } from './generation-announcer.ts';
import { RelaySink } from './relay-sink.ts';
import { ShardWriters } from './shard-writers.ts';
import { stampRecords } from './stamp-records.ts';

export interface RelayOptions {
  readonly database: Database;
  readonly client: KafkaClient;
  readonly writer: EventWriter;
  readonly names: ReturnType<typeof topicNames>;
  readonly partitions: number;
  /** Unique to each start of the process. */
  readonly memberId: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  /** A relay silent for this long loses its shards to the others. */
  readonly leaseMs?: number;
  /** Whether batches are compressed; they are by default. */
  readonly isCompressed?: boolean;
}

const drainMs = 8000;
const againMs = 200;

/**
 * Publishes the committed log to Kafka until the signal aborts. Several relays share the shards; those of a dead relay go to the others.
 * When a relay resumes after it was silent for longer than its lease, the brokers reject its late records, and it starts again as a new
 * member.
 */
export async function runRelay(options: RelayOptions, signal: AbortSignal): Promise<void> {
  for (let life = 0; !signal.aborted; life++) {
    try {
      await runMember({ ...options, memberId: life === 0 ? options.memberId : `${options.memberId}.${life}` }, signal);
    } catch (error) {
      if (errorCode(error) !== 'kafka_producer_fenced') throw error;
      options.logger.warn({ member: options.memberId }, 'relay.fenced');
      options.metrics.count('relay_failures_total', { code: 'kafka_producer_fenced' });
      await sleep(againMs, signal);
    }
  }
}

async function runMember(options: RelayOptions, signal: AbortSignal): Promise<void> {
  const { database, client, names, partitions, memberId, logger, metrics, clock = systemClock, isCompressed = true } = options;
  const producer = createSafeProducer(client, { metrics, keepsIdentity: true, isCompressed });
  let knownClusterId: string | undefined;
  const clusterId = async () => (knownClusterId ??= await readClusterId(client));
  const writers = new ShardWriters({
    ...options,
    clock,
    group: relayGroup,
    producerId: () => producer.producerId(),
    clusterId,
    fence(producerId, shards) {
      const touched = [...new Set(shards.map((shard) => partitionOf(shard, partitions)))];
      const records = touched.map((partition) => markerRecord(partition, 'fence'));
      return fenceProducer(client, producerId, new Map(Object.values(names).map((topic) => [topic, records])));
    },
  });
  const writer = await stampRecords(options.writer, database);
  const topic = { eventsTopic: names.events, group: relayGroup };
  const announcer = new GenerationAnnouncer({ ...options, ...topic, clusterId });
  const sink = new RelaySink({ ...options, ...topic, writer, producer, writers, announcer, clock });
  const log = createPostgresLog({
    database,
    logger,
    metrics,
    clock,
    ...(options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs }),
  });
  const ending = new AbortController();
  try {
    const consumption = await log.consume({ group: relayGroup, memberId, from: 'start', sink });
    sink.start(consumption);
    const reporting = reportLag(database, relayGroup, metrics, AbortSignal.any([signal, ending.signal]));
    try {
      await Promise.race([reporting, sink.fenced]);
    } finally {
      ending.abort();
      await sink.stop(AbortSignal.timeout(drainMs));
      await consumption.stop();
      await reporting;
    }
  } finally {
    await producer.close();
  }
}
