import type { Consumer } from 'kafkajs';

/** Why a partition is not read right now. */
export type Hold = 'assigning' | 'capacity' | 'failed' | 'caller';

/** What is known of an owned partition. */
export interface PartitionState {
  readonly partition: number;
  /** Offset that is to be handed over next; null before the first one. */
  next: bigint | null;
  readonly holds: Set<Hold>;
  /** Batches in a row that the handler threw at. */
  failures: number;
  /** Rises with everything that happens to it: batches, holds, seeks. */
  changes: number;
}

/**
 * The owned partitions of one topic with their holds, kept over rebalances and rebuilt consumers,
 * because kafkajs forgets pauses and seeks with each.
 */
export class PartitionDesk {
  readonly #topic: string;
  readonly #states = new Map<number, PartitionState>();
  #api: Consumer | undefined;

  constructor(topic: string) {
    this.#topic = topic;
  }

  /** The consumer that is to be steered from now on. */
  attach(api: Consumer | undefined): void {
    this.#api = api;
  }

  owned(): number[] {
    return [...this.#states.keys()].sort((a, b) => a - b);
  }

  states(): PartitionState[] {
    return [...this.#states.values()];
  }

  get(partition: number): PartitionState | undefined {
    return this.#states.get(partition);
  }

  /** Whether this is still the same ownership, and not a later one of the same partition. */
  isCurrent(state: PartitionState): boolean {
    return this.#states.get(state.partition) === state;
  }

  /** Takes over what the group gave. With `isContinuous` false nothing of before counts, since somebody else may have had it in between. */
  assign(partitions: readonly number[], isContinuous: boolean): { readonly gained: PartitionState[]; readonly lost: number[] } {
    const lost = this.owned().filter((partition) => !isContinuous || !partitions.includes(partition));
    for (const partition of lost) this.#states.delete(partition);
    const gained: PartitionState[] = [];
    for (const partition of partitions) {
      const kept = this.#states.get(partition);
      if (kept) {
        // kafkajs starts again at the committed offset; go on where we are.
        if (kept.next !== null) this.#seek(partition, kept.next);
      } else {
        const state: PartitionState = { partition, next: null, holds: new Set(['assigning']), failures: 0, changes: 0 };
        this.#states.set(partition, state);
        gained.push(state);
      }
      this.#steer(partition);
    }
    return { gained, lost };
  }

  /** Forgets everything; gives what was owned. */
  drop(): number[] {
    const lost = this.owned();
    this.#states.clear();
    return lost;
  }

  hold(partition: number, reason: Hold): void {
    const state = this.#states.get(partition);
    if (!state) return;
    state.holds.add(reason);
    state.changes++;
    this.#steer(partition);
  }

  release(partition: number, reason: Hold): void {
    const state = this.#states.get(partition);
    if (!state?.holds.delete(reason)) return;
    state.changes++;
    this.#steer(partition);
  }

  seek(partition: number, offset: bigint): void {
    const state = this.#states.get(partition);
    if (!state) return;
    state.next = offset;
    state.changes++;
    this.#seek(partition, offset);
  }

  #seek(partition: number, offset: bigint): void {
    this.#tell((api) => api.seek({ topic: this.#topic, partition, offset: String(offset) }));
  }

  #steer(partition: number): void {
    const isHeld = (this.#states.get(partition)?.holds.size ?? 0) > 0;
    const place = [{ topic: this.#topic, partitions: [partition] }];
    this.#tell((api) => (isHeld ? api.pause(place) : api.resume(place)));
  }

  #tell(order: (api: Consumer) => void): void {
    try {
      if (this.#api) order(this.#api);
    } catch {
      // It is not running: all orders are given again when it has joined.
    }
  }
}
