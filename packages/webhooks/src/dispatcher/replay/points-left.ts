import type { Executor } from '@pulsewire/database';
import { firstShardCount, readShardCount, seekTime, shardsOfUser } from '@pulsewire/eventlog';
import type { ReplayProgress } from '../../model/tables.ts';
import type { RunningReplay } from './lease-replay.ts';

/**
 * Where a replay continues. Shards added to the log since its last batch belong to the replay too, within its range, so they are read from
 * their first event.
 */
export async function pointsLeft(
  executor: Executor,
  { sinceMs, userId, progress }: Pick<RunningReplay, 'sinceMs' | 'userId' | 'progress'>,
): Promise<Required<ReplayProgress>> {
  const isOfUser = (shardCount: number) => {
    const shards = userId === null ? null : shardsOfUser(userId, shardCount);
    return ({ shard }: { readonly shard: number }) => shards?.includes(shard) ?? true;
  };
  if (progress === null) {
    const points = await seekTime(executor, sinceMs);
    return { points: points.filter(isOfUser(points.length)), shardCount: points.length };
  }
  const { points, shardCount: before = firstShardCount } = progress;
  const shardCount = Math.max(before, await readShardCount(executor));
  const added = Array.from({ length: shardCount - before }, (_, index) => ({ shard: before + index, offset: 0 }));
  return { points: [...points, ...added.filter(isOfUser(shardCount))], shardCount };
}
