import type { Executor } from '@pulsewire/database';
import { newestShard } from './newest-row.ts';
import { firstShardCount } from './shard.ts';

/** Current number of shards. It may grow at any time, so compare values derived from it with a later read. */
export async function readShardCount({ sql }: Executor): Promise<number> {
  const [row] = await sql<{ shard_count: number }[]>`SELECT shard_count FROM ${newestShard(sql, '0::smallint')} s`;
  return row?.shard_count ?? firstShardCount;
}
