import { AppError, noMetrics, sleep, type Metrics } from '@pulsewire/kernel';
import kafkajs, { type Producer } from 'kafkajs';
import { causeType, kafkaUnavailable, producerFenced } from '../kafka-error.ts';
import type { Handle, KafkaClient } from '../kafka-client.ts';
import { connectAs, fencingEpoch, type ProducerIdentity } from '../producer-identity.ts';
import { recordTooLarge, RecordLanes, type Batch, type KafkaRecord } from './record-lanes.ts';
import { within } from '../within.ts';

export interface SafeProducer {
  /**
   * Resolves when every record is acknowledged by all replicas in sync. Calls may overlap: they share requests, and records
   * of a partition keep the order of the calls. Throws AppError `kafka_unavailable` (retryable; some of the records may
   * be there, and every call that waited behind this one fails too, so that nothing overtakes) or `kafka_record_too_large`.
   */
  send(topic: string, records: readonly KafkaRecord[]): Promise<void>;
  /** The id under which it writes, the same as long as it lives if it `keepsIdentity`; connects where it has none yet. */
  producerId(): Promise<string>;
  /** Fails what still waits and closes the connection. */
  close(): Promise<void>;
}

export interface SafeProducerOptions {
  /** Time for one round of requests with all its retries; a leader that was killed is replaced within it. */
  readonly sendTimeoutMs?: number;
  readonly metrics?: Metrics;
  /**
   * Writes under one producer id for all its life, raising the epoch after a failed send: so late requests of its own are refused, and
   * somebody else can end it (`fenceProducer`). `send` then throws AppError `kafka_producer_fenced`, for good.
   */
  readonly keepsIdentity?: boolean;
  /** With gzip, which every client reads. */
  readonly isCompressed?: boolean;
}

const backoffMs = 200;
const backoffMaxMs = 2_000;
const connectWithinMs = 10_000;

/**
 * A producer without the gaps of kafkajs: it believes a send only for the partitions that were acknowledged and sends
 * the others again; after a failed send it takes a new producer id, because kafkajs rolls sequence numbers back and a later
 * batch could pass for a repeat of an earlier one and vanish.
 */
export function createSafeProducer(client: KafkaClient, options: SafeProducerOptions = {}): SafeProducer {
  const { sendTimeoutMs = 30_000, metrics = noMetrics, keepsIdentity = false, isCompressed = false } = options;
  const lanes = new RecordLanes();
  const closing = new AbortController();
  let current: Handle<Producer> | undefined;
  let running: Promise<void> | undefined;
  let identity: ProducerIdentity | undefined;
  /** Whether something was sent under the identity, so that the next producer needs a higher epoch. */
  let isIdentityUsed = false;
  let connected: Handle<Producer> | undefined;

  /** One round after the other: with two under way, the retry of the first could come after the second. */
  async function drain(): Promise<void> {
    // Calls that were made in the same turn go into the first round together.
    await Promise.resolve();
    while (!lanes.isEmpty) {
      const round = lanes.takeRound();
      try {
        await deliver(round.batches);
        round.acknowledge();
      } catch (error) {
        // What comes next must not go under the sequence numbers of what was given up.
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
        const acknowledged = await within(leftMs, attemptSend(missing), closing.signal);
        const before = missing.length;
        missing = missing.filter(({ topic, partition }) => !acknowledged.has(`${topic}/${partition}`));
        // kafkajs called this a success: it takes a broker's answer for all partitions that the broker leads by now.
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

  /** The next attempt gets a new producer; this one sends nothing any more, whatever it still tries. */
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
    // Bounded, so that a broker that says nothing leaves time for the next one.
    // Returns at once when it is connected.
    const isNew = connected !== handle;
    await within(connectWithinMs, keepsIdentity && isNew ? connectWithIdentity(handle.api) : handle.api.connect());
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

  /** Gives the partitions that a leader acknowledged. */
  async function attemptSend(batches: readonly Batch[]): Promise<ReadonlySet<string>> {
    const api = await connect();
    isIdentityUsed = true;
    const byTopic = Map.groupBy(batches, (batch) => batch.topic);
    const metadata = await api.sendBatch({
      acks: -1,
      compression: isCompressed ? kafkajs.CompressionTypes.GZIP : kafkajs.CompressionTypes.None,
      topicMessages: [...byTopic].map(([topic, parts]) => ({ topic, messages: parts.flatMap(toMessages) })),
    });
    return new Set(metadata.filter(({ errorCode }) => errorCode === 0).map(({ topicName, partition }) => `${topicName}/${partition}`));
  }

  return {
    async send(topic, records) {
      if (closing.signal.aborted) throw kafkaUnavailable('the producer was closed');
      if (records.length === 0) return;
      await new Promise<void>((resolve, reject) => {
        lanes.add(topic, records, { resolve, reject });
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
      lanes.failAll(kafkaUnavailable('the producer was closed'));
      await running;
      await current?.close();
    },
  };
}

function toMessages({ partition, records }: Batch) {
  return records.map(({ key, value, headers }) => ({ partition, key, value, headers: { ...headers } }));
}
