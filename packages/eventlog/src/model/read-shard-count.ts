import type { Executor } from '@pulsewire/database';
import { newestShard } from './newest-row.ts';
import { firstShardCount } from './shard.ts';

/** How many shards the log has now. It may grow at any time: what is made of it is to be compared with what is read later. */
export async function readShardCount({ sql }: Executor): Promise<number> {
  const [row] = await sql<{ shard_count: number }[]>`SELECT shard_count FROM ${newestShard(sql, '0::smallint')} s`;
  return row?.shard_count ?? firstShardCount;
}
