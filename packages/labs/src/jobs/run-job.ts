import { errorCode, isAppError, withJitter } from '@pulsewire/kernel';
import { isDataError, retryOrSetAside, type WorkOutcome } from '@pulsewire/database';
import { continueJob, finishJob, jobQueue } from './job-queue.ts';
import type { JobKind, JobRunner, PartnerJob } from './job.ts';

/** A job whose `giveUp` fails this often is set aside: it waits for an operator. */
const giveUpsMax = 20;

/** How much longer a lease is than an attempt, to allow for the commit. */
export const leaseMarginMs = 20_000;

const retried = new Set(['unavailable', 'rate_limited', 'bug']);
/** Whether repeating a failed call is pointless. Values that Postgres refuses are refused again. */
export const isFinal = (error: unknown): boolean =>
  isDataError(error) || (isAppError(error) && !error.retryable && !retried.has(error.kind));

async function giveUp({ labs }: JobRunner, kind: JobKind, job: PartnerJob, code: string): Promise<WorkOutcome> {
  await finishJob(labs, job, (tx, emit) => kind.giveUp(labs, tx, emit, job, code));
  return 'failed';
}

/** Time until the deadline of a job, by which it is given up. */
function untilDeadline({ labs }: JobRunner, { deadlineAt }: PartnerJob): number {
  return deadlineAt === null ? Number.POSITIVE_INFINITY : Math.max(0, deadlineAt.getTime() - labs.clock.now().getTime());
}

async function retryLater(runner: JobRunner, kind: JobKind, job: PartnerJob, error: unknown): Promise<WorkOutcome> {
  const { labs, logger } = runner;
  const attemptsMax = kind.attemptsMax === null ? null : kind.attemptsMax + giveUpsMax;
  const outcome = await retryOrSetAside(
    jobQueue,
    labs.database,
    { attemptsMax, backoffMs: kind.backoffMs, backoffMaxMs: kind.backoffMaxMs },
    // Values that Postgres refuses even when giving up are refused again.
    { row: job, attempts: job.attempts, error, isFinal: isDataError(error), delayMaxMs: untilDeadline(runner, job) },
  );
  if (outcome === 'set_aside') logger.error({ jobId: job.jobId, kind: kind.kind, errorCode: errorCode(error) }, 'lab_job.set_aside');
  return outcome;
}

async function attempt(runner: JobRunner, kind: JobKind, job: PartnerJob, signal: AbortSignal): Promise<WorkOutcome> {
  const { labs } = runner;
  const hasExhaustedAttempts = job.deadlineAt === null && kind.attemptsMax !== null && job.attempts > kind.attemptsMax;
  const leftMs = untilDeadline(runner, job);
  if (leftMs === 0 || hasExhaustedAttempts) return giveUp(runner, kind, job, job.lastError ?? 'partner_timeout');
  // Does not extend past the deadline, so that the job is given up on time.
  const timeout = AbortSignal.timeout(Math.min(kind.timeoutMs, leftMs));
  try {
    const outcome = await kind.attempt(labs, job, AbortSignal.any([signal, timeout]));
    if (outcome.kind === 'done') {
      await finishJob(labs, job, (tx, emit) => outcome.commit(tx, emit));
      return 'done';
    }
    const delayMs = Math.min(withJitter(outcome.delayMs, 0.1), untilDeadline(runner, job));
    await continueJob(labs, job, delayMs, outcome.commit && ((tx, emit) => outcome.commit?.(tx, emit) ?? Promise.resolve()));
    return 'postponed';
  } catch (error) {
    if (errorCode(error) === 'work_lease_lost') throw error;
    if (signal.aborted) return (await jobQueue.release(labs.database, job)) ? 'released' : 'lost';
    if (isFinal(error)) return giveUp(runner, kind, job, errorCode(error));
    return retryLater(runner, kind, job, error);
  }
}

/** One attempt at a claimed job. Never throws for failures of a partner or of a single job. */
export async function runJob(runner: JobRunner, kind: JobKind, job: PartnerJob, signal: AbortSignal): Promise<WorkOutcome> {
  const { labs, logger, metrics } = runner;
  const started = labs.clock.monotonicMs();
  let outcome: WorkOutcome;
  try {
    outcome = await attempt(runner, kind, job, signal);
  } catch (error) {
    outcome = errorCode(error) === 'work_lease_lost' ? 'lost' : await retryLater(runner, kind, job, error);
  }
  metrics.count('lab_partner_jobs_total', { partner: job.partner, kind: kind.kind, outcome });
  const ms = Math.round(labs.clock.monotonicMs() - started);
  logger.info({ jobId: job.jobId, kind: kind.kind, partner: job.partner, attempts: job.attempts, outcome, ms }, 'lab_job.finished');
  return outcome;
}
