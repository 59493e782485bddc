import { systemClock, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import type { EventLog } from '@pulsewire/eventlog';
import { ReaderCache } from '../records/reader-cache.ts';
import type { Registry } from '../records/schema-registry.ts';
import type { ConsumerSource } from './consumer-port.ts';
import { KafkaConsumption } from './kafka-consumption.ts';

export interface KafkaLogOptions {
  readonly database: Database;
  readonly source: ConsumerSource;
  readonly registry: Pick<Registry, 'schemaOf'>;
  /** Prefix of the group's name, because all clients of a broker share its groups. */
  readonly groupPrefix: string;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  /** A member silent for this long has lost its shards. */
  readonly leaseMs?: number;
}

/** The log read from Kafka. Positions are the rows that the log on Postgres uses, so an installation can switch between the two. */
export function createKafkaLog(options: KafkaLogOptions): EventLog {
  const clock = options.clock ?? systemClock;
  const readers = new ReaderCache(options.registry, clock);
  return {
    async consume({ group, memberId, from, sink }) {
      const consumption = new KafkaConsumption({
        ...options,
        clock,
        readers,
        member: { group, memberId, leaseMs: options.leaseMs ?? 5000 },
        groupId: `${options.groupPrefix}${group}`,
        sink,
      });
      await consumption.start(from);
      return consumption;
    },
  };
}
