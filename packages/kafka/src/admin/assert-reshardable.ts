import { AppError } from '@pulsewire/kernel';

/**
 * Throws AppError `partitions_unfit` when a log on a topic of this many partitions cannot get more shards. The partition of a shard is
 * `shard % partitions`: with a power of two, a user who continues in a new shard stays in the partition or moves to exactly the one that
 * tombstones and readers look into. With any other number the user's events would be scattered over partitions that are never searched.
 */
export function assertReshardable(partitions: number): void {
  if (Number.isInteger(Math.log2(partitions))) return;
  throw new AppError({
    code: 'partitions_unfit',
    kind: 'conflict',
    message: `The event topic has ${partitions} partitions; the number of shards can be changed only with a power of two (1, 2, 4, 8, 16, 32, 64, …). Publish to topics with another KAFKA_TOPIC_PREFIX and such a number of partitions first`,
  });
}
