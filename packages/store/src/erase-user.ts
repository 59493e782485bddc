import type { Tx } from '@pulsewire/database';
import { claimUser } from './user-lock.ts';

/** What copies of an erased user's records go by elsewhere. */
export interface ErasedRecords {
  readonly summaryIds: readonly string[];
  readonly providers: readonly string[];
}

/** Removes every record of a user; part of the erasure after the grace period (interface 3.3). Gives the keys of what is gone. */
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
  await sql`DELETE FROM summary_receipts WHERE user_id = ${owner.userId}`;
  return { summaryIds: summaries.map(({ id }) => id), providers: [...new Set(sources.map(({ provider }) => provider))] };
}
