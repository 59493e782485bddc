import { createLeaseQueue, databaseNow, leaseTaken, run, type Executor, type Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { randomUUID } from 'node:crypto';
import { and, isNull, lte, or, sql, type SQL } from 'drizzle-orm';
import type { LabsContext } from '../context/context.ts';
import type { BookingToRelease } from '../model/appointment.ts';
import { labPartnerJobs } from '../model/job-tables.ts';
import type { PartnerJob } from './job.ts';

/** The leases of calls to partners. */
export const jobQueue = createLeaseQueue({
  table: labPartnerJobs,
  key: 'jobId',
  dueAt: 'dueAt',
  leaseUntil: 'leaseUntil',
  epoch: 'leaseEpoch',
  attempts: 'attempts',
  lastError: 'lastError',
});

export interface NewJob {
  readonly teamId: string;
  readonly partner: string;
  readonly kind: string;
  readonly orderId: string | null;
  readonly appointmentId?: string | null;
  /** Idempotency key, the same for every attempt; default: the id of the job. */
  readonly idempotencyKey?: string;
  /** Default: at once. */
  readonly dueAt?: Date;
  readonly deadlineAt?: Date | null;
  readonly booking?: BookingToRelease;
}

/** Enqueues a call to a partner in the transaction of the change that needs it. Returns the id of the job. */
export async function putJob({ orm }: Tx, { dueAt, ...job }: NewJob, now: Date): Promise<string> {
  const jobId = randomUUID();
  const values = { jobId, idempotencyKey: jobId, ...job, dueAt: dueAt ?? databaseNow, createdAt: now };
  await run(orm.insert(labPartnerJobs).values(values));
  return jobId;
}

/** How long the oldest call of all teams has been due without a process that makes it, in ms by the database's clock; 0 when none is. */
export async function oldestDueMs({ orm }: Executor): Promise<number> {
  const { dueAt, leaseUntil } = labPartnerJobs;
  const now = sql`now()`;
  const waiting = and(lte(dueAt, now), or(isNull(leaseUntil), lte(leaseUntil, now)));
  const ms = sql<number>`(coalesce(extract(epoch FROM ${now} - min(${dueAt})), 0) * 1000)::float8`;
  const [row] = await run(orm.select({ ms }).from(labPartnerJobs).where(waiting));
  return row?.ms ?? 0;
}

/** Makes the jobs that match due at once, also those whose attempt is in progress. */
export async function wakeJobs({ orm }: Executor, which: SQL | undefined): Promise<void> {
  await run(orm.update(labPartnerJobs).set({ dueAt: databaseNow }).where(which));
}

type Work = (tx: Tx, emit: Emit) => Promise<void>;

/** Commits `work` and the end of the job together. Throws AppError `work_lease_lost` and writes nothing when the lease was lost. */
export async function finishJob({ database }: LabsContext, job: PartnerJob, work: Work): Promise<void> {
  await withEvents(database, async (tx, emit) => {
    await work(tx, emit);
    if (!(await jobQueue.finish(tx, job))) throw leaseTaken();
  });
}

/** Commits `work` and the next time of the job together. Throws AppError `work_lease_lost`. */
export async function continueJob({ database }: LabsContext, job: PartnerJob, delayMs: number, work?: Work): Promise<void> {
  await withEvents(database, async (tx, emit) => {
    await work?.(tx, emit);
    if (!(await jobQueue.retryLater(tx, job, delayMs, null))) throw leaseTaken();
  });
}
