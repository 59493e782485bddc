import { AppError, errorCode, type Logger } from '@pulsewire/kernel';
import pRetry from 'p-retry';

export interface StartRetryOptions {
  readonly signal?: AbortSignal | undefined;
  /** Attempts after the first; by default enough for about half a minute. */
  readonly retries?: number | undefined;
}

const retriesDefault = 6;

/** Retries work that needs `target`, because brokers and services often start together, and logs each failed attempt. */
export async function retryAtStart<T>(
  target: string,
  logger: Logger,
  { signal, retries = retriesDefault }: StartRetryOptions,
  work: () => Promise<T>,
): Promise<T> {
  return pRetry(work, {
    retries,
    minTimeout: 500,
    maxTimeout: 10_000,
    ...(signal === undefined ? {} : { signal }),
    shouldRetry: ({ error }) => !(error instanceof AppError) || error.retryable,
    onFailedAttempt: ({ error, retriesLeft }) => {
      if (retries > 0) logger.warn({ target, errorCode: errorCode(error), retriesLeft }, 'kafka.unreachable');
    },
  });
}
