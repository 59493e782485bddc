import type { Clock, Logger } from '@pulsewire/kernel';
import type { CustodyContext } from '@pulsewire/connections';
import type { Database } from '@pulsewire/database';
import type { SegmentRoller } from '@pulsewire/kafka/lazy';
import type { PlanContext, UnsubscribeContext } from '@pulsewire/ingest';

/** How long things are kept, in days. */
export interface Retention {
  readonly logDays: number;
  readonly attemptsDays: number;
  readonly auditDays: number;
  readonly receiptsDays: number;
  readonly pushesDays: number;
  readonly vaultDays: number;
}

/** What jobs work with. */
export interface SchedulerContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly plan: PlanContext;
  readonly custody: CustodyContext;
  readonly unsubscribing: UnsubscribeContext;
  readonly retention: Retention;
  /** Null where the log does not go to Kafka. */
  readonly segmentRoller: SegmentRoller | null;
  /** File with all erasures, outside of the database's backups; null: none is kept. */
  readonly erasuresFile: string | null;
  /** Slugs of every provider that there is. */
  readonly providerSlugs: readonly string[];
}

/** Work by the calendar. Must be safe to run twice, to be cut off anywhere, and to be skipped. */
export interface ScheduledJob<C = SchedulerContext> {
  readonly name: string;
  /** What it does, in a sentence for operators; the table of the README is made from it. */
  readonly description: string;
  /** Six fields, seconds first; UTC. */
  readonly cron: string;
  /** Also once when a scheduler starts. */
  readonly atStart?: boolean;
  /** What it did, for the log; undefined when there was nothing to do. */
  run(context: C, signal: AbortSignal): Promise<object | undefined>;
}
