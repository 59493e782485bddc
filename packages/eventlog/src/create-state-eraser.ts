import type { Logger, Metrics } from '@pulsewire/kernel';
import type { UserState } from './kafka/admin/erase-state.ts';
import type { KafkaConfig } from './kafka/kafka-config.ts';

/** Ends what the compacted topics hold of erased users. */
export interface StateEraser {
  /**
   * Resolves when a tombstone is acknowledged for each key. Throws AppError `kafka_unavailable` (retryable) after some seconds, or
   * `topic_missing`. Repeating it does no harm.
   */
  erase(state: UserState): Promise<void>;
  close(): Promise<void>;
}

/** Bounded, because the caller holds a transaction open meanwhile. */
const sendTimeoutMs = 10_000;

function usesKafka(config: Partial<KafkaConfig>): config is KafkaConfig {
  return (config.kafkaBrokers?.length ?? 0) > 0;
}

/** The eraser for these settings; null where no brokers are named. It connects at the first user. */
export function createStateEraser(options: {
  readonly config: Partial<KafkaConfig>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}): StateEraser | null {
  const { config } = options;
  if (!usesKafka(config)) return null;
  const open = async () => {
    const { createSafeProducer, eraseUserState, openKafka } = await import('./kafka/index.ts');
    const kafka = await openKafka({ ...options, config, signal: AbortSignal.timeout(sendTimeoutMs) });
    const producer = createSafeProducer(kafka.client, { sendTimeoutMs, metrics: options.metrics });
    return { kafka, erase: (state: UserState) => eraseUserState({ ...kafka, producer }, state), close: () => producer.close() };
  };
  let opened: ReturnType<typeof open> | undefined;
  return {
    async erase(state) {
      opened ??= open();
      // What could not be opened now is tried again for the next user.
      opened.catch(() => (opened = undefined));
      await (await opened).erase(state);
    },
    async close() {
      const current = await opened?.catch(() => undefined);
      await current?.close();
      await current?.kafka.close();
    },
  };
}
