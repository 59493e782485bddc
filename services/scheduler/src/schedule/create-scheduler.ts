import { waitUntilAborted, type Logger, type Metrics } from '@pulsewire/kernel';
import { Semaphore } from 'async-mutex';
import { schedule, type Logger as CronLogger } from 'node-cron';
import type { ScheduledJob, SchedulerContext } from './scheduled-job.ts';
import { withAdvisoryLock } from './with-advisory-lock.ts';

export interface Scheduler {
  /** Runs scheduled jobs until the signal aborts, then waits for those in progress. */
  run(signal: AbortSignal): Promise<void>;
  /** Runs one job now; returns false when another process runs or has just run it. Throws AppErrors of the job. */
  runJob(name: string, signal?: AbortSignal): Promise<boolean>;
}

/** The part of the jobs' context that scheduling itself needs. */
type Ground = Pick<SchedulerContext, 'database' | 'clock' | 'logger'>;

export interface SchedulerOptions<C extends Ground> {
  readonly context: C;
  readonly jobs: readonly ScheduledJob<C>[];
  readonly metrics: Metrics;
  /** Jobs that run at the same time; others wait for their turn. Default: all. */
  readonly concurrency?: number;
}

/** By default, node-cron would print coloured text among our lines. */
function cronLogger(logger: Logger, job: string): CronLogger {
  const write = (level: 'debug' | 'info' | 'warn' | 'error') => (reason: string | Error, error?: Error) =>
    logger[level]({ job, ...(typeof reason === 'string' ? { reason } : { error: reason }), ...(error && { error }) }, 'job.timer');
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

/**
 * Any number of schedulers may run: a job runs in only one of them at a time, and is skipped when another has just run it, unless it is
 * shared.
 */
export function createScheduler<C extends Ground>({ context, jobs, metrics, concurrency }: SchedulerOptions<C>): Scheduler {
  const slots = new Semaphore(concurrency ?? jobs.length);
  const { database, logger, clock } = context;

  async function runOnce(job: ScheduledJob<C>, signal: AbortSignal): Promise<boolean> {
    const startedMs = clock.monotonicMs();
    const work = () => job.run(context, signal);
    const done = job.isShared ? { result: await work() } : await withAdvisoryLock(database, job.name, work);
    if (!done) return false;
    const durationMs = Math.round(clock.monotonicMs() - startedMs);
    if (done.result) logger.info({ job: job.name, durationMs, ...done.result }, 'job.finished');
    metrics.observe('scheduler_job_seconds', durationMs / 1000, { job: job.name });
    return true;
  }

  // A failed job is retried at its next scheduled time; the others continue.
  async function runGuarded(job: ScheduledJob<C>, signal: AbortSignal): Promise<void> {
    try {
      await runOnce(job, signal);
    } catch (error) {
      if (signal.aborted) return;
      logger.error({ job: job.name, error }, 'job.failed');
      metrics.count('scheduler_job_failures_total', { job: job.name });
    }
  }

  return {
    async run(signal) {
      const running = new Set<Promise<void>>();
      const start = (job: ScheduledJob<C>): Promise<void> => {
        const task = slots.runExclusive(() => (signal.aborted ? undefined : runGuarded(job, signal))).finally(() => running.delete(task));
        running.add(task);
        return task;
      };
      for (const job of jobs) if (job.atStart && !signal.aborted) await start(job);
      const tasks = jobs.map((job) =>
        schedule(job.cron, () => start(job), { name: job.name, timezone: 'UTC', noOverlap: true, logger: cronLogger(logger, job.name) }),
      );
      await waitUntilAborted(signal);
      for (const task of tasks) await task.destroy();
      await Promise.all(running);
    },
    async runJob(name, signal = new AbortController().signal) {
      const job = jobs.find((candidate) => candidate.name === name);
      return job ? runOnce(job, signal) : false;
    },
  };
}
