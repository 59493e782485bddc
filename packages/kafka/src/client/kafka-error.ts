import { AppError, isAppError } from '@pulsewire/kernel';

/** An error of kafkajs as AppError `kafka_unavailable`; the text of kafkajs stays in the cause. */
export function kafkaUnavailable(what: string, cause?: unknown): AppError {
  if (isAppError(cause)) return cause;
  return new AppError({
    code: 'kafka_unavailable',
    kind: 'unavailable',
    message: `Kafka is unavailable: ${what}`,
    retryable: true,
    details: causeType(cause),
    cause,
  });
}

/** Another process fenced this producer (`fenceProducer`) and has taken over its shards. */
export function producerFenced(cause?: unknown): AppError {
  return new AppError({
    code: 'kafka_producer_fenced',
    kind: 'conflict',
    message: 'Another process has fenced this producer',
    cause,
  });
}

/** The broker's error code (`NOT_LEADER_FOR_PARTITION`) or the class of the error; never its text. */
export function causeType(cause: unknown): { readonly type?: string } {
  if (typeof cause !== 'object' || cause === null) return {};
  if ('type' in cause && typeof cause.type === 'string') return { type: cause.type };
  // kafkajs throws this for a request about several topics.
  if ('errors' in cause && Array.isArray(cause.errors) && cause.errors.length > 0) return causeType(cause.errors[0]);
  if ('cause' in cause && cause.cause !== undefined && cause.cause !== cause) return causeType(cause.cause);
  return cause instanceof Error ? { type: cause.name } : {};
}
