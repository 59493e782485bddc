import { and, eq, sql } from 'drizzle-orm';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { AppError } from '@pulsewire/kernel';
import { run, type Database, type Executor, type Tx } from '@pulsewire/database';
import { labPartnerJobs } from '../model/appointment-tables.ts';
import type { PartnerJob } from './job.ts';

const held = (job: PartnerJob) => and(eq(labPartnerJobs.jobId, job.jobId), eq(labPartnerJobs.leaseEpoch, job.leaseEpoch));

const leaseLost = () =>
  new AppError({ code: 'work_lease_lost', kind: 'conflict', message: 'The job was deleted, or another process has claimed it' });

/** Commits `work` and the end of the job together. Throws AppError `job_lease_lost` and writes nothing when the lease was lost. */
export async function finishJob(database: Database, job: PartnerJob, work: (tx: Tx, emit: Emit) => Promise<void>): Promise<void> {
  await withEvents(database, async (tx, emit) => {
    await work(tx, emit);
    const deleted = await run(tx.orm.delete(labPartnerJobs).where(held(job)).returning({ jobId: labPartnerJobs.jobId }));
    if (deleted.length === 0) throw leaseLost();
  });
}

interface Postponement {
  /** Null: it is not retried without an operator. */
  readonly dueAt: Date | null;
  readonly lastError: string | null;
}

/** The next time of a job, unless it was made due during the attempt: that request is newer than the state the attempt saw. A Date has no microseconds. */
const nextDue = ({ dueAt }: PartnerJob, next: Date | null) =>
  sql`CASE WHEN date_trunc('milliseconds', ${labPartnerJobs.dueAt}) IS NOT DISTINCT FROM ${dueAt?.toISOString() ?? null}::timestamptz THEN ${next?.toISOString() ?? null}::timestamptz ELSE ${labPartnerJobs.dueAt} END`;

/** Ends the lease; no effect when it was lost. */
export async function postponeJob({ orm }: Executor, job: PartnerJob, { dueAt, lastError }: Postponement): Promise<boolean> {
  const rows = await run(
    orm
      .update(labPartnerJobs)
      .set({ dueAt: nextDue(job, dueAt), lastError, leaseUntil: null })
      .where(held(job))
      .returning({ jobId: labPartnerJobs.jobId }),
  );
  return rows.length > 0;
}

/** Commits `work` and the next time of the job together. Throws AppError `job_lease_lost`. */
export async function continueJob(
  database: Database,
  job: PartnerJob,
  dueAt: Date,
  work?: (tx: Tx, emit: Emit) => Promise<void>,
): Promise<void> {
  await withEvents(database, async (tx, emit) => {
    await work?.(tx, emit);
    if (!(await postponeJob(tx, job, { dueAt, lastError: null }))) throw leaseLost();
  });
}
