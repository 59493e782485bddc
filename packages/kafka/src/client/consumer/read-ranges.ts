import { randomBytes } from 'node:crypto';
import { withAdmin } from '../admin.ts';
import type { KafkaMessage } from './consumer-types.ts';
import { createGuardedConsumer } from './guarded-consumer.ts';
import type { KafkaClient } from '../kafka-client.ts';
import { kafkaUnavailable } from '../kafka-error.ts';

/** Offsets from `from` up to but not including `to`. */
export interface OffsetRange {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * The range of each partition from its first record at or after this time (ms since the epoch) to its end; empty partitions are omitted.
 */
export async function rangesSince(client: KafkaClient, topic: string, sinceMs: number): Promise<Map<number, OffsetRange>> {
  return withAdmin(client, 'could not read offsets by time', async (admin) => {
    const starts = new Map((await admin.fetchTopicOffsetsByTimestamp(topic, sinceMs)).map((one) => [one.partition, BigInt(one.offset)]));
    const ranges = new Map<number, OffsetRange>();
    for (const { partition, low, high } of await admin.fetchTopicOffsets(topic)) {
      const start = starts.get(partition) ?? BigInt(low);
      const from = start < BigInt(low) ? BigInt(low) : start;
      if (from < BigInt(high)) ranges.set(partition, { from, to: BigInt(high) });
    }
    return ranges;
  });
}

const waitingMax = 2000;
const idleMs = 60_000;

/**
 * Reads these ranges once. `pick` sees every record, selects the wanted ones, and copies the parts that it keeps; `work` gets the selected
 * ones, in order within a partition. The consumer group `<groupPrefix><random>` is deleted at the end. Throws AppError `kafka_unavailable`
 * when no record arrives for a minute.
 */
export async function readRanges<T>(
  client: KafkaClient,
  options: {
    readonly topic: string;
    readonly groupPrefix: string;
    readonly ranges: ReadonlyMap<number, OffsetRange>;
    pick(message: KafkaMessage): T | null;
    work(picked: readonly T[]): Promise<void>;
  },
): Promise<void> {
  const { topic, ranges, pick } = options;
  if (ranges.size === 0) return;
  const groupId = `${options.groupPrefix}${randomBytes(6).toString('hex')}`;
  const next = new Map([...ranges].map(([partition, { from }]) => [partition, from]));
  const open = new Set(ranges.keys());
  let waiting: T[] = [];
  let woken = Promise.withResolvers<boolean>();
  const consumer = createGuardedConsumer(client, {
    groupId,
    topic,
    onAssigned(partitions) {
      for (const partition of partitions) {
        const from = next.get(partition);
        if (from === undefined || !open.has(partition)) consumer.pause([partition]);
        else consumer.seek(partition, from);
      }
    },
    onRevoked() {},
    capacity: () => waiting.length < waitingMax,
    onBatch(partition, messages) {
      const { to } = ranges.get(partition) ?? { to: 0n };
      for (const message of messages) {
        const from = next.get(partition);
        if (!open.has(partition) || from === undefined || message.offset < from) continue;
        const picked = message.offset < to ? pick(message) : null;
        if (picked !== null) waiting.push(picked);
        next.set(partition, message.offset + 1n);
        if (message.offset + 1n >= to) open.delete(partition);
      }
      if (!open.has(partition)) consumer.pause([partition]);
      woken.resolve(true);
    },
  });
  try {
    while (open.size > 0 || waiting.length > 0) {
      const picked = waiting;
      waiting = [];
      if (picked.length > 0) {
        await options.work(picked);
        continue;
      }
      const timer = setTimeout(() => woken.resolve(false), idleMs);
      const hasArrived = await woken.promise;
      clearTimeout(timer);
      woken = Promise.withResolvers();
      if (!hasArrived) throw kafkaUnavailable(`no record of ${topic} arrived for a minute`);
    }
  } finally {
    await consumer.stop();
    // Brokers delete a group without members by themselves eventually.
    await withAdmin(client, 'could not delete a consumer group', (admin) => admin.deleteGroups([groupId])).catch(() => {});
  }
}
