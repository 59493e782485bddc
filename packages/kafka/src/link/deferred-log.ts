import { AppError, errorCode, exponentialDelayMs, sleep, type Logger } from '@pulsewire/kernel';
import type { Consumption, EventLog } from '@pulsewire/eventlog';

const retryMs = 500;
const retryMaxMs = 15_000;

/**
 * A log that can be consumed before it can be reached: the consumption starts when `open` resolves; until then it owns no shards and delivers
 * no events, so that the consumer can do its other work.
 */
export function createDeferredLog(open: (signal: AbortSignal) => Promise<EventLog>, logger: Logger): EventLog {
  return {
    async consume(options) {
      const stopping = new AbortController();
      let inner: Consumption | undefined;
      const begin = async () => {
        for (let failures = 0; !stopping.signal.aborted; failures++) {
          try {
            const log = await open(stopping.signal);
            if (!stopping.signal.aborted) inner = await log.consume(options);
            inner?.wake();
            return;
          } catch (error) {
            if (stopping.signal.aborted) return;
            // An error that waiting does not fix includes what to do.
            const advice = error instanceof AppError && !error.retryable ? { explanation: error.message } : {};
            logger.warn({ group: options.group, errorCode: errorCode(error), failures, ...advice }, 'log.not_joined');
            await sleep(exponentialDelayMs(failures, retryMs, retryMaxMs), stopping.signal);
          }
        }
      };
      const beginning = begin();
      return {
        async savePositions(tx, positions) {
          if (inner) return inner.savePositions(tx, positions);
          if (positions.length > 0) throw new AppError({ code: 'lease_lost', kind: 'conflict', message: 'No shard was read yet' });
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
