import type { Tx } from '@pulsewire/database';
import { claimUser } from './user-lock.ts';

/** Removes every record of a user; part of the erasure after the grace period (interface 3.3). */
export async function eraseRecords(tx: Tx, owner: { readonly teamId: string; readonly userId: string }): Promise<void> {
  const { sql } = tx;
  await claimUser(tx, owner.userId);
  const sources = await sql<
    { id: number }[]
  >`SELECT user_source_id AS id FROM sources WHERE user_id = ${owner.userId} AND team_id = ${owner.teamId}`;
  const ids = `{${sources.map((source) => source.id).join(',')}}`;
  await sql`DELETE FROM samples WHERE user_source_id = ANY(${ids}::int[])`;
  await sql`DELETE FROM sample_receipts WHERE user_source_id = ANY(${ids}::int[])`;
  await sql`DELETE FROM source_contexts WHERE user_source_id = ANY(${ids}::int[])`;
  await sql`DELETE FROM sources WHERE user_source_id = ANY(${ids}::int[])`;
  await sql`DELETE FROM summaries WHERE user_id = ${owner.userId} AND team_id = ${owner.teamId}`;
  await sql`DELETE FROM summary_receipts WHERE user_id = ${owner.userId}`;
}
