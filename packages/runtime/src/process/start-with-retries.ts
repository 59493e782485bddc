import { AppError, errorCode, isAppError, isTransient, type Clock, type Logger } from '@pulsewire/kernel';
import pRetry, { type RetryContext } from 'p-retry';

export interface StartRetryOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Aborts on a request to stop. */
  readonly signal: AbortSignal;
  /** How long to wait for unavailable dependencies; 0: no wait. */
  readonly deadlineMs: number;
}

/**
 * Runs `start`, and repeats it while a dependency is unavailable: processes and stores often start together, and the restart of a store
 * must not end a process that is starting. `start` closes what it opened before it failed. Throws its last error.
 */
export async function startWithRetries<T>(start: () => Promise<T>, { logger, clock, signal, deadlineMs }: StartRetryOptions): Promise<T> {
  const begunMs = clock.monotonicMs();
  const leftMs = () => deadlineMs - (clock.monotonicMs() - begunMs);
  const mayRetry = ({ error, retryDelay }: RetryContext) => !signal.aborted && isTransient(error) && retryDelay <= leftMs();
  let outcome: { readonly started: T } | { readonly error: unknown } | undefined;
  let isWaiting = false;
  const attempt = async () => {
    isWaiting = false;
    try {
      outcome = { started: await start() };
    } catch (error) {
      outcome = { error };
      throw error;
    }
  };
  await pRetry(attempt, {
    retries: Infinity,
    minTimeout: 250,
    maxTimeout: 5000,
    randomize: true,
    signal,
    onFailedAttempt(context) {
      isWaiting = mayRetry(context);
      if (!isWaiting) throw context.error;
      const { error, attemptNumber } = context;
      const leftSeconds = Math.round(leftMs() / 1000);
      logger.warn(
        { errorCode: errorCode(error), ...(isAppError(error) && { reason: error.message }), attempt: attemptNumber, leftSeconds },
        'process.start_waits',
      );
    },
  }).catch((error: unknown) => {
    outcome ??= { error };
  });
  if (isWaiting) throw new AppError({ code: 'start_cut_short', kind: 'unavailable', message: 'The process was stopped during its start' });
  // p-retry drops the result of an attempt that outlasts the signal; what was started still has to be stopped.
  if (outcome && 'started' in outcome) return outcome.started;
  throw outcome?.error;
}
