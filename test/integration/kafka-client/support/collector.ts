import type { GuardedConsumerOptions, KafkaMessage } from '@pulsewire/kafka/client';

type Handlers = Pick<GuardedConsumerOptions, 'onAssigned' | 'onRevoked' | 'onBatch' | 'capacity'>;

/** Handlers of a guarded consumer that record their calls, so that a test can wait for them. */
export class Collector implements Handlers {
  readonly messages: { readonly partition: number; readonly offset: number; readonly key: string }[] = [];
  readonly owned = new Set<number>();
  readonly history: string[] = [];
  hasRoom = true;
  /** Called before a batch is recorded; may throw. */
  before: (partition: number, messages: readonly KafkaMessage[]) => void = () => {};
  /** Awaited before an assignment is accepted. */
  claim: () => Promise<void> = async () => {};
  #waiters: { readonly isDone: () => boolean; readonly done: () => void }[] = [];

  onAssigned = async (partitions: readonly number[]): Promise<void> => {
    await this.claim();
    for (const partition of partitions) this.owned.add(partition);
    this.history.push(`assigned ${partitions.join()}`);
    this.#check();
  };

  onRevoked = (partitions: readonly number[]): void => {
    for (const partition of partitions) this.owned.delete(partition);
    this.history.push(`revoked ${partitions.join()}`);
    this.#check();
  };

  onBatch = (partition: number, messages: readonly KafkaMessage[]): void => {
    this.before(partition, messages);
    for (const message of messages) this.messages.push({ partition, offset: Number(message.offset), key: String(message.key) });
    this.#check();
  };

  capacity = (): boolean => this.hasRoom;

  /** Offsets received from a partition, in the order of arrival. */
  offsets(partition: number): number[] {
    return this.messages.filter((message) => message.partition === partition).map((message) => message.offset);
  }

  received(count: number): Promise<void> {
    return this.until(() => this.messages.length >= count);
  }

  /** Resolves when the condition holds after a call was recorded. */
  until(isDone: () => boolean): Promise<void> {
    if (isDone()) return Promise.resolve();
    return new Promise((done) => this.#waiters.push({ isDone, done }));
  }

  #check(): void {
    this.#waiters = this.#waiters.filter((waiter) => {
      if (!waiter.isDone()) return true;
      waiter.done();
      return false;
    });
  }
}

export function range(count: number, from = 0): number[] {
  return Array.from({ length: count }, (_, n) => from + n);
}
