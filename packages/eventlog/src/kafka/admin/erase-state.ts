import { shardOf } from '../../shard.ts';
import type { OutgoingRecord } from '../event-record.ts';
import type { RecordProducer } from '../relay/relay-sink.ts';
import { partitionOf, type topicNames } from '../topics.ts';

/** What a user has on the compacted topics. */
export interface UserState {
  readonly userId: string;
  readonly summaryIds: readonly string[];
  /** Slugs of every provider that the user may have been connected to. */
  readonly providers: readonly string[];
}

/**
 * Ends a user's keys on the compacted topics with tombstones, for the erasure after the grace period; the values go at the next compaction, within
 * about a day. The event topic needs nothing, as it keeps less than the grace.
 */
export async function eraseUserState(
  target: { readonly producer: RecordProducer; readonly names: ReturnType<typeof topicNames>; readonly partitions: number },
  { userId, summaryIds, providers }: UserState,
): Promise<void> {
  const { producer, names } = target;
  const partition = partitionOf(shardOf(userId), target.partitions);
  const tombstone = (key: string): OutgoingRecord => ({ partition, key, value: null, headers: {} });
  await producer.send(names.summaries, summaryIds.map(tombstone));
  await producer.send(
    names.connections,
    providers.map((slug) => tombstone(`${userId}:${slug}`)),
  );
}
