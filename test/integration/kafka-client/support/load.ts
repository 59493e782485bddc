import { sleep } from '@pulsewire/kernel';
import type { SafeProducer } from '@pulsewire/kafka/client';

const batchSize = 10;

/** Numbered records written to every partition by one writer each; unacknowledged records are resent until they are acknowledged. */
export class Load {
  readonly #acknowledged: number[];
  readonly #lanes: Promise<void>[];
  readonly #stopping = new AbortController();

  constructor(producer: SafeProducer, topic: string, partitions: number) {
    this.#acknowledged = Array.from({ length: partitions }, () => 0);
    this.#lanes = this.#acknowledged.map((_, partition) => this.#write(producer, topic, partition));
  }

  /** How many records of each partition are acknowledged. A send whose response was lost may have stored more. */
  acknowledged(): readonly number[] {
    return [...this.#acknowledged];
  }

  /** Resolves when every partition has acknowledged this many more. */
  async another(count: number): Promise<void> {
    const goals = this.#acknowledged.map((sent) => sent + count);
    while (goals.some((goal, partition) => (this.#acknowledged[partition] ?? 0) < goal)) await sleep(50);
  }

  /** Resolves when all started sends are acknowledged. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#lanes);
  }

  async #write(producer: SafeProducer, topic: string, partition: number): Promise<void> {
    for (let next = 0; !this.#stopping.signal.aborted; next += batchSize) {
      const keys = Array.from({ length: batchSize }, (_, index) => String(next + index));
      const records = keys.map((key) => ({ partition, key, value: Buffer.from('v'), headers: {} }));
      const isTaken = () =>
        producer.send(topic, records).then(
          () => true,
          () => false,
        );
      while (!(await isTaken())) await sleep(100);
      this.#acknowledged[partition] = next + batchSize;
      await sleep(5);
    }
  }
}
