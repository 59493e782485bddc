import { AppError } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { shardCountMax } from '../shard.ts';
import { startGeneration, type StartedGeneration } from './start-generation.ts';

/**
 * Starts a generation because an operator says that history was lost where nothing shows it: a restored snapshot of the disk, a
 * failover of a server that tells neither its timeline nor its identity.
 */
export function newGeneration(database: Database): Promise<StartedGeneration> {
  return database.transaction(async (tx) => {
    await tx.sql`SELECT FROM log_installation FOR UPDATE`;
    return startGeneration(tx, { reason: 'operator' });
  });
}

/**
 * Changes the number of shards of a running log: a generation with more shards, a power of two times as many as before. Consumers
 * go on without reading anything twice, and begin with a new shard when they have recorded what its users have in the old one.
 * Throws AppError `shard_count_invalid`.
 */
export function reshard(database: Database, shardCount: number): Promise<StartedGeneration> {
  return database.transaction(async (tx) => {
    await tx.sql`SELECT FROM log_installation FOR UPDATE`;
    const [row] = await tx.sql<{ shard_count: number }[]>`SELECT shard_count FROM log_shards WHERE shard = 0`;
    const before = row?.shard_count ?? 0;
    const isPower = Number.isSafeInteger(shardCount) && Number.isInteger(Math.log2(shardCount));
    if (!isPower || shardCount <= before || shardCount > shardCountMax)
      throw new AppError({
        code: 'shard_count_invalid',
        kind: 'invalid',
        message: `The log has ${before} shards; the new number must be a power of two above that, at most ${shardCountMax}`,
        details: { field: 'shards' },
      });
    return startGeneration(tx, { reason: 'reshard', shardCount });
  });
}
