import { sleep } from '@pulsewire/kernel';
import { readPartitionOffsets, type PartitionOffsets } from '../admin.ts';
import type { KafkaClient } from '../kafka-client.ts';
import type { OwnedPartitions, PartitionState } from './owned-partitions.ts';

export interface ReadingWatchOptions {
  readonly client: KafkaClient;
  readonly groupId: string;
  readonly topic: string;
  readonly owned: OwnedPartitions;
  readonly stalledAfterMs: number;
}

/**
 * Resolves with `NOT_READING` when a partition without holds has records but delivers none, whatever the cause. Heartbeats do not reveal
 * that: kafkajs reads from each broker in its own loop, and any of them keeps the member alive.
 */
export async function untilReadingStalls(options: ReadingWatchOptions, until: AbortSignal): Promise<string> {
  const { owned, stalledAfterMs } = options;
  let seen = changesOf(owned);
  let behind: ReadonlySet<PartitionState> = new Set();
  while (!until.aborted) {
    await sleep(stalledAfterMs, until);
    const idle = [...seen].filter(([state, changes]) => owned.isCurrent(state) && isFree(state) && state.changes === changes);
    if (until.aborted) break;
    if (idle.some(([state]) => behind.has(state))) return 'NOT_READING';
    const offsets = idle.length === 0 ? null : await readPartitionOffsets(options.client, options.groupId, options.topic).catch(() => null);
    behind = offsets === null ? new Set() : findBehind(owned, new Set(idle.map(([state]) => state)), offsets);
    seen = changesOf(owned);
  }
  return 'STOPPED';
}

function changesOf(owned: OwnedPartitions): ReadonlyMap<PartitionState, number> {
  return new Map(owned.states().map((state) => [state, state.changes]));
}

function isFree(state: PartitionState): boolean {
  return state.holds.size === 0;
}

/** Idle partitions with unread records, unless other partitions of their broker are making progress: then they are only waiting. */
function findBehind(
  owned: OwnedPartitions,
  idle: ReadonlySet<PartitionState>,
  offsets: ReadonlyMap<number, PartitionOffsets>,
): Set<PartitionState> {
  const moving = owned.states().filter((state) => isFree(state) && !idle.has(state));
  const busy = new Set(moving.map((state) => offsets.get(state.partition)?.leader));
  return new Set(
    [...idle].filter((state) => {
      const found = offsets.get(state.partition);
      if (!found || busy.has(found.leader)) return false;
      const next = state.next ?? found.committed ?? found.first;
      return found.next > (next > found.first ? next : found.first);
    }),
  );
}
