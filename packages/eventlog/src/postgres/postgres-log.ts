import type { Database } from '@pulsewire/database';
import { systemClock, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import type { EventLog } from '../model/types.ts';
import { PostgresConsumption } from './postgres-consumption.ts';

export interface PostgresLogOptions {
  readonly database: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly clock?: Clock;
  /** A member silent for this long loses its shards. */
  readonly leaseMs?: number;
  /** Poll interval of an idle reader, in case a notification is lost. */
  readonly pollMs?: number;
}

/** The log read directly from Postgres, which is enough for a small installation. */
export function createPostgresLog(options: PostgresLogOptions): EventLog {
  return {
    async consume({ group, memberId, from, sink }) {
      const consumption = new PostgresConsumption({
        ...options,
        clock: options.clock ?? systemClock,
        member: { group, memberId, leaseMs: options.leaseMs ?? 5000 },
        pollMs: options.pollMs ?? 250,
        sink,
      });
      await consumption.start(from);
      return consumption;
    },
  };
}
