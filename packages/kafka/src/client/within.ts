import { sleep } from '@pulsewire/kernel';
import { kafkaUnavailable } from './kafka-error.ts';

/**
 * The work's result, or AppError `kafka_unavailable` when it takes longer than `ms` or the signal aborts.
 * The work itself is not stopped by this: whoever gives up on it cuts its sockets.
 */
export async function within<T>(ms: number, work: Promise<T>, signal?: AbortSignal): Promise<T> {
  const timer = new AbortController();
  const giveUp = async () => {
    await sleep(ms, signal ? AbortSignal.any([timer.signal, signal]) : timer.signal);
    throw kafkaUnavailable('no answer in time');
  };
  try {
    return await Promise.race([work, giveUp()]);
  } finally {
    timer.abort();
  }
}
