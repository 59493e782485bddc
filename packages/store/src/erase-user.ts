import { and, eq } from 'drizzle-orm';
import { run, type Database, type Executor, type Tx } from '@pulsewire/database';
import { devices, sources, summaries, summaryReceipts, workoutStreams } from './model/tables.ts';
import { lockRecords } from './model/user-lock.ts';
import { eraseAll, eraseSome } from './samples/erase-samples.ts';

/** Keys of an erased user's records in other systems. */
export interface ErasedRecords {
  readonly summaryIds: readonly string[];
  readonly providers: readonly string[];
}

const batchRows = 20_000;

function sourcesOf({ orm }: Executor, { teamId, userId }: { readonly teamId: string; readonly userId: string }) {
  const isTheirs = and(eq(sources.userId, userId), eq(sources.teamId, teamId));
  return run(orm.select({ id: sources.userSourceId, provider: sources.provider }).from(sources).where(isTheirs));
}

/**
 * Removes a user's samples in short transactions of `limit` rows, before `eraseRecords` removes the rest: years of minutes are too much for
 * one statement. The user must be beyond the grace period. May be interrupted anywhere; the next call continues. Returns the number of
 * removed samples.
 */
export async function eraseSamples(
  database: Database,
  owner: { readonly teamId: string; readonly userId: string },
  signal: AbortSignal,
  limit = batchRows,
): Promise<number> {
  let erased = 0;
  for (const { id } of await sourcesOf(database, owner)) {
    for (let count = limit; count > 0 && !signal.aborted; erased += count) {
      count = await database.transaction(async (tx) => {
        await lockRecords(tx, owner.userId);
        return eraseSome(tx, id, limit);
      });
    }
  }
  return erased;
}

/** Removes every record of a user; part of the erasure after the grace period. Returns the keys of the removed records. */
export async function eraseRecords(tx: Tx, owner: { readonly teamId: string; readonly userId: string }): Promise<ErasedRecords> {
  const { sql, orm } = tx;
  await lockRecords(tx, owner.userId);
  const owned = await sourcesOf(tx, owner);
  const ids = `{${owned.map((source) => source.id).join(',')}}`;
  await eraseAll(tx, ids);
  await sql`DELETE FROM sample_counts WHERE user_source_id = ANY(${ids}::int[])`;
  await sql`DELETE FROM sample_receipts WHERE user_source_id = ANY(${ids}::int[])`;
  await sql`DELETE FROM source_contexts WHERE user_source_id = ANY(${ids}::int[])`;
  await sql`DELETE FROM sources WHERE user_source_id = ANY(${ids}::int[])`;
  const isTheirs = (table: typeof summaries | typeof workoutStreams | typeof devices) =>
    and(eq(table.userId, owner.userId), eq(table.teamId, owner.teamId));
  const erased = await run(orm.delete(summaries).where(isTheirs(summaries)).returning({ id: summaries.id }));
  await run(orm.delete(workoutStreams).where(isTheirs(workoutStreams)));
  await run(orm.delete(devices).where(isTheirs(devices)));
  // Receipts also name summaries that are no longer stored but may have been published.
  const { userId, ids: receivedIds } = summaryReceipts;
  const receipts = await run(orm.delete(summaryReceipts).where(eq(userId, owner.userId)).returning({ ids: receivedIds }));
  const summaryIds = [...new Set([...erased.map(({ id }) => id), ...receipts.flatMap(({ ids: named }) => named)])];
  return { summaryIds, providers: [...new Set(owned.map(({ provider }) => provider))] };
}
