import type { Database, Tx } from '@pulsewire/database';
import { claimUser } from './model/user-lock.ts';

/** What copies of an erased user's records go by elsewhere. */
export interface ErasedRecords {
  readonly summaryIds: readonly string[];
  readonly providers: readonly string[];
}

const batchRows = 20_000;

/**
 * Removes a user's samples in short transactions of `limit` rows, before `eraseRecords` removes the rest: years of minutes are too much
 * for one statement. The user must be beyond the grace period. May be cut off anywhere, and goes on where it was. Gives their number.
 */
export async function eraseSamples(
  database: Database,
  owner: { readonly teamId: string; readonly userId: string },
  signal: AbortSignal,
  limit = batchRows,
): Promise<number> {
  const sources = await database.sql<
    { id: number }[]
  >`SELECT user_source_id AS id FROM sources WHERE user_id = ${owner.userId} AND team_id = ${owner.teamId}`;
  let erased = 0;
  for (const { id } of sources) {
    for (let count = limit; count === limit && !signal.aborted; erased += count) {
      count = await database.transaction(async (tx) => {
        await claimUser(tx, owner.userId);
        const rows = await tx.sql`
          DELETE FROM samples WHERE ctid = ANY(ARRAY(SELECT ctid FROM samples WHERE user_source_id = ${id} LIMIT ${limit}))`;
        return rows.count;
      });
    }
  }
  return erased;
}

/** Removes every record of a user; part of the erasure after the grace period. Gives the keys of what is gone. */
export async function eraseRecords(tx: Tx, owner: { readonly teamId: string; readonly userId: string }): Promise<ErasedRecords> {
  const { sql } = tx;
  await claimUser(tx, owner.userId);
  const sources = await sql<
    { id: number; provider: string }[]
  >`SELECT user_source_id AS id, provider FROM sources WHERE user_id = ${owner.userId} AND team_id = ${owner.teamId}`;
  const ids = `{${sources.map((source) => source.id).join(',')}}`;
  await sql`DELETE FROM samples WHERE user_source_id = ANY(${ids}::int[])`;
  await sql`DELETE FROM sample_receipts WHERE user_source_id = ANY(${ids}::int[])`;
  await sql`DELETE FROM source_contexts WHERE user_source_id = ANY(${ids}::int[])`;
  await sql`DELETE FROM sources WHERE user_source_id = ANY(${ids}::int[])`;
  const summaries = await sql<
    { id: string }[]
  >`DELETE FROM summaries WHERE user_id = ${owner.userId} AND team_id = ${owner.teamId} RETURNING id`;
  await sql`DELETE FROM workout_streams WHERE user_id = ${owner.userId} AND team_id = ${owner.teamId}`;
  // They also name summaries that are not stored any more but may have been published.
  const receipts = await sql<{ ids: string[] }[]>`DELETE FROM summary_receipts WHERE user_id = ${owner.userId} RETURNING ids`;
  const summaryIds = [...new Set([...summaries.map(({ id }) => id), ...receipts.flatMap(({ ids: named }) => named)])];
  return { summaryIds, providers: [...new Set(sources.map(({ provider }) => provider))] };
}
