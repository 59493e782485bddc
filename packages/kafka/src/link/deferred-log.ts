import { AppError, errorCode, type Logger } from '@pulsewire/kernel';
import type { Consumption, EventLog } from '@pulsewire/eventlog';
import pRetry from 'p-retry';

/**
 * A log that can be consumed before it is reachable: the consumption starts when `open` resolves. Until then it owns no shards and delivers
 * no events, and the consumer can do its other work.
 */
export function createDeferredLog(open: (signal: AbortSignal) => Promise<EventLog>, logger: Logger): EventLog {
  return {
    async consume(options) {
      const stopping = new AbortController();
      let inner: Consumption | undefined;
      const join = async () => {
        const log = await open(stopping.signal);
        stopping.signal.throwIfAborted();
        inner = await log.consume(options);
        inner.wake();
      };
      const begin = () =>
        pRetry(join, {
          retries: Infinity,
          minTimeout: 500,
          maxTimeout: 15_000,
          signal: stopping.signal,
          onFailedAttempt: ({ error, attemptNumber }) => {
            if (stopping.signal.aborted) return;
            // An error that waiting does not fix contains instructions.
            const advice = error instanceof AppError && !error.retryable ? { explanation: error.message } : {};
            logger.warn({ group: options.group, errorCode: errorCode(error), failures: attemptNumber - 1, ...advice }, 'log.join_failed');
          },
          // The reason is the stop itself, or it was logged.
        }).catch(() => {});
      const beginning = begin();
      return {
        async savePositions(tx, positions) {
          if (inner) return inner.savePositions(tx, positions);
          if (positions.length > 0)
            throw new AppError({ code: 'lease_lost', kind: 'conflict', message: 'Positions cannot be saved before the first read' });
        },
        saved: async (positions) => inner?.saved(positions),
        owned: () => inner?.owned() ?? [],
        wake: () => inner?.wake(),
        async stop() {
          stopping.abort();
          await beginning;
          await inner?.stop();
        },
      };
    },
  };
}
