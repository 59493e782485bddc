import { eq, lte, or, sql } from 'drizzle-orm';
import { sleep } from '@pulsewire/kernel';
import { run } from '@pulsewire/database';
import { labPartnerJobs } from '../model/job-tables.ts';
import { jobQueue } from './job-queue.ts';
import { leaseMarginMs, runJob } from './run-job.ts';
import type { JobKind, JobRunner } from './job.ts';

const pollMs = 100;

/**
 * Runs one job at once, for a request that waits until the job is settled, here or by a worker. The signal only ends the
 * wait and the attempt; an unsettled job is left to the workers.
 */
export async function runNow(runner: JobRunner, kind: JobKind, jobId: string, signal: AbortSignal): Promise<void> {
  const { database, clock } = runner.labs;
  const { dueAt, deadlineAt } = labPartnerJobs;
  const leaseMs = kind.timeoutMs + leaseMarginMs;
  while (!signal.aborted) {
    const [job] = await run(database.orm.select().from(labPartnerJobs).where(eq(labPartnerJobs.jobId, jobId)));
    if (!job) return;
    const isDue = or(lte(dueAt, sql`now()`), lte(deadlineAt, clock.now()));
    const claimed = job.dueAt === null ? null : await jobQueue.acquire(database, jobId, { leaseMs, where: isDue });
    if (claimed) await runJob(runner, kind, claimed, signal);
    else await sleep(pollMs, signal);
  }
}
