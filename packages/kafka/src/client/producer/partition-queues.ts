import { AppError } from '@pulsewire/kernel';

/** A record to be written. The caller chooses the partition: order exists within one partition only. */
export interface KafkaRecord {
  readonly partition: number;
  readonly key: string | Buffer;
  /** null is a tombstone. */
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** The records of one partition in one request: a record batch below the broker's limit of 1 MiB. */
export interface Batch {
  readonly topic: string;
  readonly partition: number;
  readonly records: readonly KafkaRecord[];
}

/** A `send` that waits until all of its records are acknowledged. */
interface PendingSend {
  left: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface QueuedRecord {
  readonly record: KafkaRecord;
  readonly bytes: number;
  readonly send: PendingSend;
}

interface PartitionQueue {
  readonly topic: string;
  readonly partition: number;
  waiting: QueuedRecord[];
}

const batchBytesMax = 900_000;
/** kafkajs copies the batch so far for each record that it adds, so its cost grows with the square. */
const batchRecordsMax = 1_000;
const recordBytesMax = 1_000_000;
const roundBytesMax = 16 * 2 ** 20;

/** Records waiting to be sent, queued per partition: order holds within a partition, and partitions do not wait for each other. */
export class PartitionQueues {
  readonly #queues = new Map<string, PartitionQueue>();

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  /** Queues all records or none. Throws AppError `kafka_record_too_large`, which is not retryable. */
  add(
    topic: string,
    records: readonly KafkaRecord[],
    callbacks: { readonly resolve: () => void; readonly reject: (error: unknown) => void },
  ): void {
    const sizes = records.map(recordBytes);
    const largest = sizes.reduce((most, bytes) => Math.max(most, bytes), 0);
    if (largest > recordBytesMax) throw recordTooLarge({ topic, bytes: largest });
    const send: PendingSend = { left: records.length, ...callbacks };
    records.forEach((record, index) => {
      this.#queue(topic, record.partition).waiting.push({ record, bytes: sizes[index] ?? 0, send });
    });
  }

  /** The next batches, at most one per partition, with callbacks for their outcome. */
  takeRound(): { readonly batches: readonly Batch[]; acknowledge(): void; fail(error: unknown): void } {
    const batches: Batch[] = [];
    const taken: QueuedRecord[] = [];
    let roundBytes = 0;
    // A copy, because queues move to the end of the map during the loop.
    for (const [name, queue] of Array.from(this.#queues)) {
      if (roundBytes >= roundBytesMax) break;
      const count = countThatFits(queue.waiting);
      const head = queue.waiting.slice(0, count);
      queue.waiting = queue.waiting.slice(count);
      // Moved to the end, so that a busy partition cannot block the others.
      this.#queues.delete(name);
      if (queue.waiting.length > 0) this.#queues.set(name, queue);
      roundBytes += head.reduce((sum, each) => sum + each.bytes, 0);
      taken.push(...head);
      batches.push({ topic: queue.topic, partition: queue.partition, records: head.map((each) => each.record) });
    }
    return {
      batches,
      acknowledge() {
        for (const { send } of taken) if (--send.left === 0) send.resolve();
      },
      fail: (error) => {
        for (const { send } of taken) send.reject(error);
        this.failAll(error);
      },
    };
  }

  /** Fails every queued record, because none may overtake a lost record of its partition. */
  failAll(error: unknown): void {
    for (const queue of this.#queues.values()) for (const { send } of queue.waiting) send.reject(error);
    this.#queues.clear();
  }

  #queue(topic: string, partition: number): PartitionQueue {
    const name = `${topic}/${partition}`;
    let queue = this.#queues.get(name);
    if (!queue) {
      queue = { topic, partition, waiting: [] };
      this.#queues.set(name, queue);
    }
    return queue;
  }
}

function countThatFits(waiting: readonly QueuedRecord[]): number {
  let bytes = 0;
  let count = 0;
  for (const each of waiting) {
    bytes += each.bytes;
    if (count > 0 && (bytes > batchBytesMax || count === batchRecordsMax)) break;
    count++;
  }
  return count;
}

/** Upper estimate of a record's bytes in its batch, before compression. */
function recordBytes({ key, value, headers }: KafkaRecord): number {
  let bytes = 32 + Buffer.byteLength(key) + (value?.length ?? 0);
  for (const name in headers) bytes += name.length + 8 + Buffer.byteLength(headers[name] ?? '');
  return bytes;
}

export function recordTooLarge(details: Readonly<Record<string, unknown>>, cause?: unknown): AppError {
  return new AppError({
    code: 'kafka_record_too_large',
    kind: 'invalid',
    message: 'A record exceeds the size limit of the broker',
    details,
    cause,
  });
}
