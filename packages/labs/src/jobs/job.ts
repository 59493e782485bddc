import type { Emit } from '@pulsewire/eventlog';
import type { Logger, Metrics } from '@pulsewire/kernel';
import type { Tx } from '@pulsewire/database';
import type { LabsContext } from '../context/context.ts';
import type { labPartnerJobs } from '../model/job-tables.ts';

export type PartnerJob = typeof labPartnerJobs.$inferSelect;

/** The result of an attempt. */
export type JobOutcome =
  /** Finished: `commit` stores the partner's response in the transaction that deletes the job. */
  | { readonly kind: 'done'; commit(tx: Tx, emit: Emit): Promise<void> }
  /** The partner has not decided yet: retry after `delayMs`. `commit` stores what is known so far. */
  | { readonly kind: 'later'; readonly delayMs: number; commit?(tx: Tx, emit: Emit): Promise<void> };

/** One kind of call to a partner. `src/all-job-kinds.ts` lists them. */
export interface JobKind {
  readonly kind: string;
  /** Time limit of an attempt, after which its signal aborts. */
  readonly timeoutMs: number;
  /** A job without a deadline is given up after this many attempts; null: never. */
  readonly attemptsMax: number | null;
  /** Delay before the second attempt; doubles after each attempt, up to `backoffMaxMs`. */
  readonly backoffMs: number;
  readonly backoffMaxMs: number;
  /**
   * One attempt. If `job.attempts` is above 1, an earlier one may have succeeded without a response. Throws AppErrors: those of kind
   * `unavailable`, `rate_limited` and `bug` are retried, others are final.
   */
  attempt(context: LabsContext, job: PartnerJob, signal: AbortSignal): Promise<JobOutcome>;
  /**
   * Called after a final failure, the last attempt or the deadline: stores the failure in the transaction that deletes the job.
   * `code` is the error's code. An attempt may nevertheless have succeeded at the partner.
   */
  giveUp(context: LabsContext, tx: Tx, emit: Emit, job: PartnerJob, code: string): Promise<void>;
}

export interface JobRunner {
  readonly labs: LabsContext;
  readonly logger: Logger;
  readonly metrics: Metrics;
}
