import { AppError, errorCode, exponentialDelayMs, isAppError, sleep, withJitter, type Clock, type Logger } from '@pulsewire/kernel';

export interface StartRetryOptions {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Aborts when the process is asked to stop. */
  readonly signal: AbortSignal;
  /** How long to wait for unavailable dependencies; 0: not at all. */
  readonly deadlineMs: number;
}

const pauseMs = 250;
const pauseMaxMs = 5000;

// Errors of the network, of the Postgres driver, and of a Postgres that starts, stops or has no free connection.
const passing =
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN|ENOTFOUND|CONNECT_TIMEOUT|CONNECTION_\w+|57P0[1-3]|08\w{3}|53300)$/;

/** Whether the same start may succeed soon: a dependency is unavailable. */
export function isPassing(error: unknown): boolean {
  if (isAppError(error)) return error.retryable;
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isPassing);
  // node-postgres, which pg-boss uses, has no code for a broken connection.
  if (error instanceof Error && error.message.startsWith('Connection terminated')) return true;
  return passing.test(errorCode(error));
}

/**
 * Runs `start`, and repeats it while a dependency is unavailable: processes and stores often start together, and the restart of a store must
 * not end a process that is starting. `start` closes what it opened before it failed. Throws its last error.
 */
export async function startWithRetries<T>(start: () => Promise<T>, { logger, clock, signal, deadlineMs }: StartRetryOptions): Promise<T> {
  const begunMs = clock.monotonicMs();
  for (let failures = 0; ; failures++) {
    try {
      return await start();
    } catch (error) {
      const waitedMs = clock.monotonicMs() - begunMs;
      const delayMs = withJitter(exponentialDelayMs(failures, pauseMs, pauseMaxMs), 0.2);
      if (signal.aborted || !isPassing(error) || waitedMs + delayMs > deadlineMs) throw error;
      const leftSeconds = Math.round((deadlineMs - waitedMs) / 1000);
      logger.warn(
        { errorCode: errorCode(error), ...(isAppError(error) && { reason: error.message }), attempt: failures + 1, leftSeconds },
        'process.start_waits',
      );
      await sleep(delayMs, signal);
      if (signal.aborted)
        throw new AppError({ code: 'start_cut_short', kind: 'unavailable', message: 'The process was stopped during its start' });
    }
  }
}
