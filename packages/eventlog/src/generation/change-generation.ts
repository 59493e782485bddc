import { eq } from 'drizzle-orm';
import { AppError } from '@pulsewire/kernel';
import { run, type Database } from '@pulsewire/database';
import { shardCountMax } from '../model/shard.ts';
import { logShards } from '../model/tables.ts';
import { startGeneration, type StartedGeneration } from './start-generation.ts';

/**
 * Starts a generation at an operator's request, for lost history that cannot be detected: a restored disk snapshot, or a
 * failover of a server that reports neither its timeline nor its identity.
 */
export function newGeneration(database: Database): Promise<StartedGeneration> {
  return database.transaction(async (tx) => {
    await tx.sql`SELECT FROM log_installation FOR UPDATE`;
    return startGeneration(tx, { reason: 'operator' });
  });
}

/**
 * As `newGeneration`, for a command that may be repeated: keeps the generation that it started before (`isNew` false) as long as none of
 * its events has been read and the server has not been restarted since. Restoring a snapshot restarts the server.
 */
export function generationAfterSnapshot(database: Database): Promise<StartedGeneration & { readonly isNew: boolean }> {
  return database.transaction(async (tx) => {
    await tx.sql`SELECT FROM log_installation FOR UPDATE`;
    const [begun] = await tx.sql<StartedGeneration[]>`
      SELECT g.generation, g.shard_count AS "shardCount" FROM log_generations g
      WHERE g.shard = 0 AND g.ends_at IS NULL AND g.reason IN ('operator', 'timeline', 'system') AND g.started_at > pg_postmaster_start_time()
        AND NOT EXISTS (SELECT FROM log_positions p WHERE p."offset" > g.begins_at)`;
    return begun ? { ...begun, isNew: false } : { ...(await startGeneration(tx, { reason: 'operator' })), isNew: true };
  });
}

/**
 * Changes the number of shards of a running log: a generation with more shards, a power of two times as many as before. Consumers
 * continue without repeats, and start a new shard once they have recorded its users' events in the old one.
 * Throws AppError `shard_count_invalid`.
 */
export function reshard(database: Database, shardCount: number): Promise<StartedGeneration> {
  return database.transaction(async (tx) => {
    await tx.sql`SELECT FROM log_installation FOR UPDATE`;
    const { shard, shardCount: count } = logShards;
    const [row] = await run(tx.orm.select({ count }).from(logShards).where(eq(shard, 0)));
    const before = row?.count ?? 0;
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
