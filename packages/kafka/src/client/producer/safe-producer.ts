import { AppError, noMetrics, sleep, type Metrics } from '@pulsewire/kernel';
import kafkajs, { type Producer } from 'kafkajs';
import type { Handle, KafkaClient } from '../kafka-client.ts';
import { causeType, kafkaUnavailable, producerFenced } from '../kafka-error.ts';
import { connectAs, fencingEpoch, type ProducerIdentity } from '../producer-identity.ts';
import { recordTooLarge, PartitionQueues, type Batch, type KafkaRecord } from './partition-queues.ts';
import { withKafkaDeadline } from '../with-kafka-deadline.ts';

/**
 * Where the acknowledged records of each partition end. A later acknowledgement below that end shows that the brokers lost records: a
 * replica that lagged behind was elected, or the topic was created anew. Nothing else tells a producer.
 */
class AcknowledgedEnds {
  readonly #ends = new Map<string, bigint>();

  /** Records that a batch was written at `baseOffset`; returns how many records were lost since the last one, as far as can be seen. */
  note(topic: string, partition: number, baseOffset: string | undefined, records: number): number {
    // The broker no longer knows the offset of a batch that it had written before.
    if (baseOffset === undefined || baseOffset.startsWith('-')) return 0;
    const key = `${topic}/${partition}`;
    const base = BigInt(baseOffset);
    const end = this.#ends.get(key) ?? base;
    this.#ends.set(key, base + BigInt(records));
    return base < end ? Number(end - base) : 0;
  }
}

export interface SafeProducer {
  /**
   * Resolves when all in-sync replicas have acknowledged every record. Calls may overlap: they share requests, and records of a partition
   * keep the order of the calls. Throws AppError `kafka_unavailable` (retryable; some of the records may have been written, and every call
   * queued behind this one fails too, so that none overtakes it) or `kafka_record_too_large`.
   */
  send(topic: string, records: readonly KafkaRecord[]): Promise<void>;
  /** The id under which it writes, which never changes with `keepsIdentity`; connects if it has none yet. */
  producerId(): Promise<string>;
  /** Fails queued calls and closes the connection. */
  close(): Promise<void>;
}

export interface SafeProducerOptions {
  /** Deadline of one round of requests with all its retries; long enough for the election of a new leader. */
  readonly sendTimeoutMs?: number;
  readonly metrics?: Metrics;
  /**
   * Writes under one producer id for its whole life and raises the epoch after a failed send, so that brokers reject its own late requests,
   * and another process can fence it (`fenceProducer`): then every `send` throws AppError `kafka_producer_fenced`.
   */
  readonly keepsIdentity?: boolean;
  /** With gzip, which every client reads. */
  readonly isCompressed?: boolean;
}

const backoffMs = 200;
const backoffMaxMs = 2_000;
const connectWithinMs = 10_000;

/**
 * A producer that guards against defects of kafkajs: it treats only acknowledged partitions as sent and resends the others. After a failed
 * send it takes a new producer id, because kafkajs rolls sequence numbers back, and the broker could drop a later batch as a duplicate of
 * an earlier one.
 */
export function createSafeProducer(client: KafkaClient, options: SafeProducerOptions = {}): SafeProducer {
  const { sendTimeoutMs = 30_000, metrics = noMetrics, keepsIdentity = false, isCompressed = false } = options;
  const queues = new PartitionQueues();
  const ends = new AcknowledgedEnds();
  const closing = new AbortController();
  let current: Handle<Producer> | undefined;
  let running: Promise<void> | undefined;
  let identity: ProducerIdentity | undefined;
  /** Whether anything was sent under the identity: then the next producer needs a higher epoch. */
  let isIdentityUsed = false;
  let connected: Handle<Producer> | undefined;

  /** One round at a time: with two in flight, the retry of the first could arrive after the second. */
  async function drain(): Promise<void> {
    // Lets calls of the same tick share the first round.
    await Promise.resolve();
    while (!queues.isEmpty) {
      const round = queues.takeRound();
      try {
        await deliver(round.batches);
        round.acknowledge();
      } catch (error) {
        // The next round must not reuse the sequence numbers of the failed one.
        replace();
        round.fail(error);
      }
    }
    running = undefined;
  }

  async function deliver(batches: readonly Batch[]): Promise<void> {
    const deadline = performance.now() + sendTimeoutMs;
    let missing = batches;
    let lastCause: unknown;
    for (let attempt = 0; missing.length > 0; attempt++) {
      if (attempt > 0) await sleep(Math.min(backoffMaxMs, backoffMs * 2 ** (attempt - 1)), closing.signal);
      const leftMs = deadline - performance.now();
      if (closing.signal.aborted) throw kafkaUnavailable('the producer was closed');
      if (leftMs <= 0) throw kafkaUnavailable('records were not acknowledged in time', lastCause);
      try {
        const acknowledged = await withKafkaDeadline(leftMs, attemptSend(missing), closing.signal);
        const before = missing.length;
        missing = missing.filter(({ topic, partition }) => !acknowledged.has(`${topic}/${partition}`));
        // kafkajs reported success although partitions are missing: it applies a broker's response to all partitions that the broker leads
        // by now.
        if (missing.length > 0) metrics.count('kafka_partitions_resent_total', {}, missing.length);
        if (missing.length < before) attempt = -1;
      } catch (cause) {
        lastCause = cause;
        replace();
        const { type } = causeType(cause);
        client.logger.warn({ type, partitions: missing.length }, 'kafka.send_failed');
        metrics.count('kafka_producer_rebuilt_total');
        if (keepsIdentity && type === 'INVALID_PRODUCER_EPOCH') throw producerFenced(cause);
        if (cause instanceof AppError && cause.code === 'kafka_producer_fenced') throw cause;
        if (type === 'MESSAGE_TOO_LARGE') throw recordTooLarge({ topics: [...new Set(missing.map((batch) => batch.topic))] }, cause);
      }
    }
  }

  /** The next attempt gets a new producer; the old one can send nothing more, although kafkajs may still retry. */
  function replace(): void {
    current?.cut();
    current = undefined;
  }

  async function connect(): Promise<Producer> {
    const handle = (current ??= client.producer({
      idempotent: true,
      allowAutoTopicCreation: false,
      metadataMaxAge: 10_000,
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition ?? 0,
    }));
    // Bounded, so that a silent broker leaves time for the next one. Returns at once when connected.
    const isNew = connected !== handle;
    await withKafkaDeadline(connectWithinMs, keepsIdentity && isNew ? connectWithIdentity(handle.api) : handle.api.connect());
    connected = handle;
    return handle.api;
  }

  async function connectWithIdentity(api: Producer): Promise<void> {
    const epoch = (identity?.epoch ?? 0) + (isIdentityUsed ? 1 : 0);
    if (epoch >= fencingEpoch) throw producerFenced();
    const given = await connectAs(identity && { ...identity, epoch }, () => api.connect());
    if (given === undefined) return;
    identity = given;
    isIdentityUsed = false;
  }

  /** Returns the partitions whose leader acknowledged. */
  async function attemptSend(batches: readonly Batch[]): Promise<ReadonlySet<string>> {
    const api = await connect();
    isIdentityUsed = true;
    const byTopic = Map.groupBy(batches, (batch) => batch.topic);
    const metadata = await api.sendBatch({
      acks: -1,
      compression: isCompressed ? kafkajs.CompressionTypes.GZIP : kafkajs.CompressionTypes.None,
      topicMessages: [...byTopic].map(([topic, parts]) => ({ topic, messages: parts.flatMap(toMessages) })),
    });
    const written = metadata.filter(({ errorCode }) => errorCode === 0);
    for (const { topicName: topic, partition, baseOffset } of written) {
      const { records = [] } = batches.find((batch) => batch.topic === topic && batch.partition === partition) ?? {};
      const lost = ends.note(topic, partition, baseOffset, records.length);
      if (lost > 0) reportLost(topic, partition, lost);
    }
    return new Set(written.map(({ topicName, partition }) => `${topicName}/${partition}`));
  }

  function reportLost(topic: string, partition: number, records: number): void {
    client.logger.error({ topic, partition, records }, 'kafka.records_lost');
    metrics.count('kafka_records_lost_total', { topic }, records);
  }

  return {
    async send(topic, records) {
      if (closing.signal.aborted) throw kafkaUnavailable('the producer was closed');
      if (records.length === 0) return;
      await new Promise<void>((resolve, reject) => {
        queues.add(topic, records, { resolve, reject });
        running ??= drain();
      });
    },
    async producerId() {
      try {
        await connect();
      } catch (cause) {
        replace();
        throw kafkaUnavailable('a producer could not connect', cause);
      }
      if (identity === undefined) throw kafkaUnavailable('the producer has no id');
      return identity.producerId;
    },
    async close() {
      closing.abort();
      queues.failAll(kafkaUnavailable('the producer was closed'));
      await running;
      await current?.close();
    },
  };
}

function toMessages({ partition, records }: Batch) {
  return records.map(({ key, value, headers }) => ({ partition, key, value, headers: { ...headers } }));
}
