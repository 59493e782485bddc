import { errorCode, exponentialDelayMs, isAppError, withJitter } from '@pulsewire/kernel';
import { isDataError } from '@pulsewire/database';
import { continueJob, finishJob, postponeJob } from './settle-job.ts';
import type { JobKind, JobRunner, PartnerJob } from './job.ts';

export type JobResult = 'done' | 'later' | 'retried' | 'given_up' | 'set_aside' | 'lease_lost' | 'stopped';

/** A job whose `giveUp` fails this often is set aside: it waits for an operator. */
const giveUpsMax = 20;

/** How much longer a lease is than an attempt, to allow for the commit. */
export const leaseMarginMs = 20_000;

const retried = new Set(['unavailable', 'rate_limited', 'bug']);
/** Whether repeating a failed call is pointless. Values that Postgres refuses are refused again. */
export const isFinal = (error: unknown): boolean =>
  isDataError(error) || (isAppError(error) && !error.retryable && !retried.has(error.kind));

async function giveUp({ labs }: JobRunner, kind: JobKind, job: PartnerJob, code: string): Promise<JobResult> {
  await finishJob(labs.database, job, (tx, emit) => kind.giveUp(labs, tx, emit, job, code));
  return 'given_up';
}

/** When to retry: at the deadline at the latest, so that the job is given up on time. */
function dueIn({ labs }: JobRunner, { deadlineAt }: PartnerJob, delayMs: number): Date {
  const due = labs.clock.now().getTime() + delayMs;
  return new Date(deadlineAt === null ? due : Math.min(due, deadlineAt.getTime()));
}

async function retryLater(runner: JobRunner, kind: JobKind, job: PartnerJob, error: unknown): Promise<JobResult> {
  const { labs, logger } = runner;
  const code = errorCode(error);
  const delayMs = withJitter(exponentialDelayMs(job.attempts - 1, kind.backoffMs, kind.backoffMaxMs), 0.2);
  // Values that Postgres refuses even when giving up are refused again.
  const isSetAside = isDataError(error) || (kind.attemptsMax !== null && job.attempts >= kind.attemptsMax + giveUpsMax);
  const dueAt = isSetAside ? null : dueIn(runner, job, isAppError(error) ? (error.retryAfterMs ?? delayMs) : delayMs);
  if (isSetAside) logger.error({ jobId: job.jobId, kind: kind.kind, errorCode: code }, 'lab_job.set_aside');
  if (!(await postponeJob(labs.database, job, { dueAt, lastError: code }))) return 'lease_lost';
  return isSetAside ? 'set_aside' : 'retried';
}

async function attempt(runner: JobRunner, kind: JobKind, job: PartnerJob, signal: AbortSignal): Promise<JobResult> {
  const { labs } = runner;
  const now = labs.clock.now();
  const isLate = job.deadlineAt !== null && job.deadlineAt <= now;
  const hasExhaustedAttempts = job.deadlineAt === null && kind.attemptsMax !== null && job.attempts > kind.attemptsMax;
  if (isLate || hasExhaustedAttempts) return giveUp(runner, kind, job, job.lastError ?? 'partner_timeout');
  // Does not extend past the deadline, so that the job is given up on time.
  const leftMs = job.deadlineAt === null ? kind.timeoutMs : Math.min(kind.timeoutMs, job.deadlineAt.getTime() - now.getTime());
  try {
    const outcome = await kind.attempt(labs, job, AbortSignal.any([signal, AbortSignal.timeout(leftMs)]));
    if (outcome.kind === 'done') {
      await finishJob(labs.database, job, (tx, emit) => outcome.commit(tx, emit));
      return 'done';
    }
    const dueAt = dueIn(runner, job, withJitter(outcome.delayMs, 0.1));
    await continueJob(labs.database, job, dueAt, outcome.commit && ((tx, emit) => outcome.commit?.(tx, emit) ?? Promise.resolve()));
    return 'later';
  } catch (error) {
    if (errorCode(error) === 'work_lease_lost') throw error;
    if (signal.aborted) {
      await postponeJob(labs.database, job, { dueAt: now, lastError: 'stopped' });
      return 'stopped';
    }
    if (isFinal(error)) return giveUp(runner, kind, job, errorCode(error));
    return retryLater(runner, kind, job, error);
  }
}

/** One attempt at a claimed job. Never throws for failures of a partner or of a single job. */
export async function runJob(runner: JobRunner, kind: JobKind, job: PartnerJob, signal: AbortSignal): Promise<JobResult> {
  const { labs, logger, metrics } = runner;
  const started = labs.clock.monotonicMs();
  let result: JobResult;
  try {
    result = await attempt(runner, kind, job, signal);
  } catch (error) {
    result = errorCode(error) === 'work_lease_lost' ? 'lease_lost' : await retryLater(runner, kind, job, error);
  }
  metrics.count('lab_partner_jobs_total', { partner: job.partner, kind: kind.kind, outcome: result });
  const ms = Math.round(labs.clock.monotonicMs() - started);
  logger.info({ jobId: job.jobId, kind: kind.kind, partner: job.partner, attempts: job.attempts, outcome: result, ms }, 'lab_job.finished');
  return result;
}
