import type { Logger, Metrics } from '@pulsewire/kernel';
import { assertKafkaConfig } from './config/assert-kafka-config.ts';
import type { KafkaConfig } from './config/kafka-config.ts';

/** Makes the brokers close the segments of quiet partitions, so that compaction removes replaced and erased values. */
export interface SegmentRoller {
  /**
   * Resolves when a marker is acknowledged in each partition of the compacted topics. Throws AppError `kafka_unavailable` or
   * `topic_missing`.
   */
  roll(): Promise<{ readonly partitions: number }>;
  close(): Promise<void>;
}

const sendTimeoutMs = 10_000;

function usesKafka(config: Partial<KafkaConfig>): config is KafkaConfig {
  return (config.kafkaBrokers?.length ?? 0) > 0;
}

/** The roller for these settings; null without configured brokers. It connects on first use. Throws AppError `config_invalid`. */
export function createSegmentRoller(options: {
  readonly config: Partial<KafkaConfig>;
  readonly logger: Logger;
  readonly metrics: Metrics;
}): SegmentRoller | null {
  const { config } = options;
  if (!usesKafka(config)) return null;
  assertKafkaConfig(config);
  const open = async () => {
    const { createSafeProducer, openKafka, segmentMarkers } = await import('./index.ts');
    const kafka = await openKafka({ ...options, config, signal: AbortSignal.timeout(sendTimeoutMs) });
    const producer = createSafeProducer(kafka.client, { sendTimeoutMs, metrics: options.metrics });
    return { kafka, producer, markers: segmentMarkers(kafka.names, kafka.partitions) };
  };
  let opened: ReturnType<typeof open> | undefined;
  return {
    async roll() {
      opened ??= open();
      // An open that failed is retried at the next call.
      opened.catch(() => (opened = undefined));
      const { kafka, producer, markers } = await opened;
      for (const { topic, records } of markers) await producer.send(topic, records);
      return { partitions: kafka.partitions };
    },
    async close() {
      const current = await opened?.catch(() => undefined);
      await current?.producer.close();
      await current?.kafka.close();
    },
  };
}
