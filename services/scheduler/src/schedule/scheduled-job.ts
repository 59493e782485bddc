import type { Clock, Logger } from '@pulsewire/kernel';
import type { CustodyContext } from '@pulsewire/connections';
import type { Database } from '@pulsewire/database';
import type { SegmentRoller } from '@pulsewire/kafka/lazy';
import type { PlanContext, UnsubscribeContext } from '@pulsewire/ingest';

/** Retention periods, in days. */
export interface Retention {
  readonly logDays: number;
  readonly attemptsDays: number;
  readonly auditDays: number;
  readonly receiptsDays: number;
  readonly pushesDays: number;
  readonly vaultDays: number;
}

/** Dependencies of jobs. */
export interface SchedulerContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly plan: PlanContext;
  readonly custody: CustodyContext;
  readonly unsubscribing: UnsubscribeContext;
  readonly retention: Retention;
  /** Days after which samples are packed; null: they are not. */
  readonly packAfterDays: number | null;
  /** Null when the log is not published to Kafka. */
  readonly segmentRoller: SegmentRoller | null;
  /** File with all erasures, outside of the database's backups; null: none is kept. */
  readonly erasuresFile: string | null;
  /** Slugs of all providers. */
  readonly providerSlugs: readonly string[];
}

/** A scheduled job. Must be safe to run twice, to interrupt anywhere, and to skip. */
export interface ScheduledJob<C = SchedulerContext> {
  readonly name: string;
  /** One sentence for operators; it appears in the README's table. */
  readonly description: string;
  /** Six fields, seconds first; UTC. */
  readonly cron: string;
  /** Also once when a scheduler starts. */
  readonly atStart?: boolean;
  /** Several schedulers run it at the same time: each of its statements takes work that no other has. */
  readonly isShared?: boolean;
  /** Result for the log; undefined when there was nothing to do. */
  run(context: C, signal: AbortSignal): Promise<object | undefined>;
}
