import { and, inArray, notInArray } from 'drizzle-orm';
import { createWorkerLoop, type WorkerLoop } from '@pulsewire/database';
import { labPartnerJobs } from '../model/job-tables.ts';
import { jobQueue } from './job-queue.ts';
import { leaseMarginMs, runJob } from './run-job.ts';
import type { JobKind, JobRunner, PartnerJob } from './job.ts';

export interface JobWorkerOptions extends JobRunner {
  readonly kinds: readonly JobKind[];
  /** Jobs at once. Default 8. */
  readonly concurrency?: number;
  /** How long an idle worker waits before it polls again. Default 1 s. */
  readonly idleMs?: number;
  /** How long calls in progress may continue after the worker was stopped. Default 5 s. */
  readonly graceMs?: number;
}

/** Runs due jobs, a bounded number at once. */
export type JobWorker = WorkerLoop;

export function createJobWorker(options: JobWorkerOptions): JobWorker {
  const { labs, logger, metrics, kinds, concurrency = 8, idleMs = 1000, graceMs = 5000 } = options;
  const { database } = labs;
  const byName = new Map(kinds.map((kind) => [kind.kind, kind]));
  const running = new Map<string, number>();
  // An attempt ends before its lease even when no renewal succeeds, so that no call is repeated while it may still be in progress.
  const leaseMs = Math.max(0, ...kinds.map((kind) => kind.timeoutMs)) + leaseMarginMs;
  // An unresponsive partner must not occupy every slot.
  const perPartner = Math.max(1, Math.ceil(concurrency / 2));
  const count = (partner: string, by: number) => running.set(partner, (running.get(partner) ?? 0) + by);

  return createWorkerLoop<PartnerJob>({
    queue: 'lab_partner_jobs',
    logger,
    metrics,
    concurrency,
    pollMs: idleMs,
    leaseMs,
    graceMs,
    // One after another, so that each claim sees the partners of the previous ones.
    async claim() {
      const busy = [...running].filter(([, calls]) => calls >= perPartner).map(([partner]) => partner);
      const others = busy.length > 0 ? notInArray(labPartnerJobs.partner, busy) : undefined;
      const jobs = await jobQueue.claim(database, { leaseMs, where: and(inArray(labPartnerJobs.kind, [...byName.keys()]), others) });
      for (const { partner } of jobs) count(partner, 1);
      return jobs;
    },
    renew: (job) => jobQueue.renew(database, job, leaseMs),
    release: (job) => jobQueue.release(database, job),
    async attempt(job, signal) {
      const kind = byName.get(job.kind);
      try {
        return kind ? await runJob(options, kind, job, signal) : 'retried';
      } finally {
        count(job.partner, -1);
      }
    },
    settleFailure: async (_job, error) => Promise.reject(error),
  });
}
