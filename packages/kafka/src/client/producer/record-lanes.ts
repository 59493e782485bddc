import { AppError } from '@pulsewire/kernel';

/** A record as it is written. The partition is the caller's choice: order exists inside one partition alone. */
export interface KafkaRecord {
  readonly partition: number;
  readonly key: string | Buffer;
  /** null is a tombstone. */
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** What one request may carry for one partition: one record batch, below the broker's limit of 1 MiB. */
export interface Batch {
  readonly topic: string;
  readonly partition: number;
  readonly records: readonly KafkaRecord[];
}

/** A `send` that waits until all of its records are acknowledged. */
interface Ticket {
  left: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Waiting {
  readonly record: KafkaRecord;
  readonly bytes: number;
  readonly ticket: Ticket;
}

interface Lane {
  readonly topic: string;
  readonly partition: number;
  waiting: Waiting[];
}

const batchBytesMax = 900_000;
/** kafkajs copies the batch so far for each record that it adds, so its cost grows with the square. */
const batchRecordsMax = 1_000;
const recordBytesMax = 1_000_000;
const roundBytesMax = 16 * 2 ** 20;

/** Records that wait to be sent: a queue for each partition, so that order holds inside one and partitions do not wait for each other. */
export class RecordLanes {
  readonly #lanes = new Map<string, Lane>();

  get isEmpty(): boolean {
    return this.#lanes.size === 0;
  }

  /** Takes all records or none. Throws AppError `kafka_record_too_large`, which no retry helps. */
  add(
    topic: string,
    records: readonly KafkaRecord[],
    ticket: { readonly resolve: () => void; readonly reject: (error: unknown) => void },
  ): void {
    const sizes = records.map(recordBytes);
    const largest = sizes.reduce((most, bytes) => Math.max(most, bytes), 0);
    if (largest > recordBytesMax) throw recordTooLarge({ topic, bytes: largest });
    const shared: Ticket = { left: records.length, resolve: ticket.resolve, reject: ticket.reject };
    records.forEach((record, index) => {
      this.#lane(topic, record.partition).waiting.push({ record, bytes: sizes[index] ?? 0, ticket: shared });
    });
  }

  /** The next batches, one a partition at most, and what to do when they are acknowledged. */
  takeRound(): { readonly batches: readonly Batch[]; acknowledge(): void; fail(error: unknown): void } {
    const batches: Batch[] = [];
    const taken: Waiting[] = [];
    let roundBytes = 0;
    // A copy, because lanes are taken out and put back at the end meanwhile.
    for (const [name, lane] of Array.from(this.#lanes)) {
      if (roundBytes >= roundBytesMax) break;
      const count = countThatFits(lane.waiting);
      const head = lane.waiting.slice(0, count);
      lane.waiting = lane.waiting.slice(count);
      // To the end of the line, so that a busy partition cannot hold up the others.
      this.#lanes.delete(name);
      if (lane.waiting.length > 0) this.#lanes.set(name, lane);
      roundBytes += head.reduce((sum, each) => sum + each.bytes, 0);
      taken.push(...head);
      batches.push({ topic: lane.topic, partition: lane.partition, records: head.map((each) => each.record) });
    }
    return {
      batches,
      acknowledge() {
        for (const { ticket } of taken) if (--ticket.left === 0) ticket.resolve();
      },
      fail: (error) => {
        for (const { ticket } of taken) ticket.reject(error);
        this.failAll(error);
      },
    };
  }

  /** Fails everything that waits: what comes after a lost record of its partition must not overtake it. */
  failAll(error: unknown): void {
    for (const lane of this.#lanes.values()) for (const { ticket } of lane.waiting) ticket.reject(error);
    this.#lanes.clear();
  }

  #lane(topic: string, partition: number): Lane {
    const name = `${topic}/${partition}`;
    let lane = this.#lanes.get(name);
    if (!lane) {
      lane = { topic, partition, waiting: [] };
      this.#lanes.set(name, lane);
    }
    return lane;
  }
}

function countThatFits(waiting: readonly Waiting[]): number {
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
    message: 'A record is larger than a broker takes',
    details,
    cause,
  });
}
