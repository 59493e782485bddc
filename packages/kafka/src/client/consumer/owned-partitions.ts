import type { Consumer } from 'kafkajs';

/** Why a partition is not read right now. */
export type Hold = 'assigning' | 'capacity' | 'failed' | 'caller';

/** State of an owned partition. */
export interface PartitionState {
  readonly partition: number;
  /** Next offset to hand over; null before the first one. */
  next: bigint | null;
  readonly holds: Set<Hold>;
  /** Consecutive batches for which the handler threw. */
  failures: number;
  /** Increases with every batch, hold and seek. */
  changes: number;
}

/**
 * The owned partitions of one topic with their holds, across rebalances and rebuilt consumers, because kafkajs forgets pauses and seeks
 * with each.
 */
export class OwnedPartitions {
  readonly #topic: string;
  readonly #states = new Map<number, PartitionState>();
  #api: Consumer | undefined;

  constructor(topic: string) {
    this.#topic = topic;
  }

  /** Pauses, resumes and seeks this consumer from now on. */
  attach(api: Consumer | undefined): void {
    this.#api = api;
  }

  list(): number[] {
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

  /**
   * Applies an assignment of the group. Without `isContinuous`, earlier state is discarded: another member may have owned the partitions
   * since.
   */
  assign(partitions: readonly number[], isContinuous: boolean): { readonly gained: PartitionState[]; readonly lost: number[] } {
    const lost = this.list().filter((partition) => !isContinuous || !partitions.includes(partition));
    for (const partition of lost) this.#states.delete(partition);
    const gained: PartitionState[] = [];
    for (const partition of partitions) {
      const kept = this.#states.get(partition);
      if (kept) {
        // kafkajs restarts at the committed offset; continue where we are.
        if (kept.next !== null) this.#seek(partition, kept.next);
      } else {
        const state: PartitionState = { partition, next: null, holds: new Set(['assigning']), failures: 0, changes: 0 };
        this.#states.set(partition, state);
        gained.push(state);
      }
      this.#applyHolds(partition);
    }
    return { gained, lost };
  }

  /** Forgets everything; returns what was owned. */
  clear(): number[] {
    const lost = this.list();
    this.#states.clear();
    return lost;
  }

  hold(partition: number, reason: Hold): void {
    const state = this.#states.get(partition);
    if (!state) return;
    state.holds.add(reason);
    state.changes++;
    this.#applyHolds(partition);
  }

  release(partition: number, reason: Hold): void {
    const state = this.#states.get(partition);
    if (!state?.holds.delete(reason)) return;
    state.changes++;
    this.#applyHolds(partition);
  }

  seek(partition: number, offset: bigint): void {
    const state = this.#states.get(partition);
    if (!state) return;
    state.next = offset;
    state.changes++;
    this.#seek(partition, offset);
  }

  #seek(partition: number, offset: bigint): void {
    this.#command((api) => api.seek({ topic: this.#topic, partition, offset: String(offset) }));
  }

  #applyHolds(partition: number): void {
    const isHeld = (this.#states.get(partition)?.holds.size ?? 0) > 0;
    const target = [{ topic: this.#topic, partitions: [partition] }];
    this.#command((api) => (isHeld ? api.pause(target) : api.resume(target)));
  }

  #command(command: (api: Consumer) => void): void {
    try {
      if (this.#api) command(this.#api);
    } catch {
      // Not running: everything is applied again after the next join.
    }
  }
}
