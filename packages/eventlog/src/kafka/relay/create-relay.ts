import { sleep, systemClock, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { readLag } from '../../maintain.ts';
import { createPostgresLog } from '../../postgres-log.ts';
import type { EventWriter } from '../event-writer.ts';
import { RelaySink, type RecordProducer } from './relay-sink.ts';
import { stampRecords } from './stamp-records.ts';

export interface RelayOptions {
  readonly database: Database;
  readonly producer: RecordProducer;
  readonly writer: EventWriter;
  readonly eventsTopic: string;
  /** New with every start. */
  readonly memberId: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  /** A relay silent for this long loses its shards to the others. */
  readonly leaseMs?: number;
}

/** Group of the relay's positions in the log. */
export const relayGroup = 'relay';

const lagEveryMs = 5000;
const drainMs = 8000;

/** Says how far a group is behind, until the signal. */
export async function reportLag(database: Database, group: string, metrics: Metrics, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const lag = await readLag(database, group).catch(() => null);
    if (lag !== null) {
      metrics.gauge('log_lag_events', lag.events, { group });
      metrics.gauge('log_oldest_unread_age_seconds', lag.oldestAgeMs / 1000, { group });
    }
    await sleep(lagEveryMs, signal);
  }
}

/** Moves the committed log to Kafka until the signal: several relays share the shards, and a dead one's go to the others. */
export async function runRelay(options: RelayOptions, signal: AbortSignal): Promise<void> {
  const { database, logger, metrics, clock = systemClock } = options;
  const writer = await stampRecords(options.writer, database);
  const sink = new RelaySink({ ...options, writer, group: relayGroup, clock });
  const log = createPostgresLog({
    database,
    logger,
    metrics,
    clock,
    ...(options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs }),
  });
  const consumption = await log.consume({ group: relayGroup, memberId: options.memberId, from: 'start', sink });
  sink.start(consumption);
  await reportLag(database, relayGroup, metrics, signal);
  await sink.stop(AbortSignal.timeout(drainMs));
  await consumption.stop();
}
