import { plainArray, type Tx } from '@pulsewire/database';

interface SentOwner {
  readonly teamId: string;
  readonly userId: string;
}

/** Remembers summaries that a team's own app has sent. */
export async function markSent({ sql }: Tx, { teamId, userId }: SentOwner, ids: readonly string[]): Promise<void> {
  await sql`
    INSERT INTO sent_summaries (summary_id, team_id, user_id)
    SELECT DISTINCT s.id, ${teamId}::uuid, ${userId}::uuid FROM unnest(${plainArray(ids)}::uuid[]) AS s(id) ON CONFLICT DO NOTHING`;
}

/** Those of these summaries that a team's own app has sent. */
export async function findSent({ sql }: Tx, { teamId, userId }: SentOwner, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`
    SELECT summary_id AS id FROM sent_summaries WHERE summary_id = ANY(${plainArray(ids)}::uuid[]) AND user_id = ${userId} AND team_id = ${teamId}`;
  return new Set(rows.map(({ id }) => id));
}
