import { within } from '@pulsewire/kernel';
import { kafkaUnavailable } from './kafka-error.ts';

/** Like `within` of the kernel: AppError `kafka_unavailable` after `ms`, or when the signal aborts. The caller closes the sockets. */
export function withKafkaDeadline<T>(ms: number, work: Promise<T>, signal?: AbortSignal): Promise<T> {
  const timedOut = (): never => {
    throw kafkaUnavailable('no response in time');
  };
  return within(ms, work, timedOut, signal);
}
