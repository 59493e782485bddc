import { sleep } from '@pulsewire/kernel';
import { readStanding, type Standing } from '../admin.ts';
import type { KafkaClient } from '../kafka-client.ts';
import type { PartitionDesk, PartitionState } from './partition-desk.ts';

export interface ReadingWatchOptions {
  readonly client: KafkaClient;
  readonly groupId: string;
  readonly topic: string;
  readonly desk: PartitionDesk;
  readonly stalledAfterMs: number;
}

/**
 * Resolves with `NOT_READING` when a partition that is free to be read has records and brings none, whatever the cause.
 * Heartbeats do not show that: kafkajs reads from each broker in a loop of its own, and any of them keeps the member alive.
 */
export async function untilReadingStalls(options: ReadingWatchOptions, until: AbortSignal): Promise<string> {
  const { desk, stalledAfterMs } = options;
  let seen = lookAt(desk);
  let behind: ReadonlySet<PartitionState> = new Set();
  while (!until.aborted) {
    await sleep(stalledAfterMs, until);
    const idle = [...seen].filter(([state, changes]) => desk.isCurrent(state) && isFree(state) && state.changes === changes);
    if (until.aborted) break;
    if (idle.some(([state]) => behind.has(state))) return 'NOT_READING';
    const standing = idle.length === 0 ? null : await readStanding(options.client, options.groupId, options.topic).catch(() => null);
    behind = standing === null ? new Set() : findBehind(desk, new Set(idle.map(([state]) => state)), standing);
    seen = lookAt(desk);
  }
  return 'STOPPED';
}

function lookAt(desk: PartitionDesk): ReadonlyMap<PartitionState, number> {
  return new Map(desk.states().map((state) => [state, state.changes]));
}

function isFree(state: PartitionState): boolean {
  return state.holds.size === 0;
}

/** The idle ones that have more, unless others of their broker move: then they wait for their turn. */
function findBehind(desk: PartitionDesk, idle: ReadonlySet<PartitionState>, standing: ReadonlyMap<number, Standing>): Set<PartitionState> {
  const moving = desk.states().filter((state) => isFree(state) && !idle.has(state));
  const busy = new Set(moving.map((state) => standing.get(state.partition)?.leader));
  return new Set(
    [...idle].filter((state) => {
      const place = standing.get(state.partition);
      if (!place || busy.has(place.leader)) return false;
      const next = state.next ?? place.committed ?? place.first;
      return place.next > (next > place.first ? next : place.first);
    }),
  );
}
