import { takeLock, type Tx } from '@pulsewire/database';

export interface Account {
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
  readonly providerUserId: string | null;
}

/** Whether another user of a team that minds it is connected to this account. Until the transaction ends nobody else of the team becomes it. */
export async function isDuplicate({ sql }: Tx, { teamId, userId, provider, providerUserId }: Account): Promise<boolean> {
  if (providerUserId === null) return false;
  const [team] = await sql<{ rejects: boolean }[]>`SELECT reject_duplicate_connection AS rejects FROM teams WHERE team_id = ${teamId}`;
  if (!team?.rejects) return false;
  // Two users may link the same account at this moment; the second must see the first's row.
  await takeLock({ sql }, 'named', `${teamId}:${provider}:${providerUserId}`);
  const [other] = await sql`
    SELECT 1 FROM connections WHERE team_id = ${teamId} AND provider = ${provider}
      AND provider_user_id = ${providerUserId} AND user_id <> ${userId} LIMIT 1`;
  return other !== undefined;
}
