import { takeLock, run, type Tx } from '@pulsewire/database';
import { and, eq, ne } from 'drizzle-orm';
import { connections, teams } from '../model/tables.ts';

export interface Account {
  readonly teamId: string;
  readonly userId: string;
  readonly provider: string;
  readonly providerUserId: string | null;
}

/**
 * Whether the team rejects duplicates and another of its users is connected to this account. Until the transaction ends, no other user of
 * the team can connect to the account.
 */
export async function isDuplicate({ sql, orm }: Tx, { teamId, userId, provider, providerUserId }: Account): Promise<boolean> {
  if (providerUserId === null) return false;
  const [team] = await run(orm.select({ rejects: teams.rejectDuplicateConnection }).from(teams).where(eq(teams.teamId, teamId)));
  if (!team?.rejects) return false;
  // Two users may link the same account concurrently; the second must see the first's row.
  await takeLock({ sql }, 'named', `${teamId}:${provider}:${providerUserId}`);
  const isOther = and(
    eq(connections.teamId, teamId),
    eq(connections.provider, provider),
    eq(connections.providerUserId, providerUserId),
    ne(connections.userId, userId),
  );
  const [other] = await run(orm.select({ userId: connections.userId }).from(connections).where(isOther).limit(1));
  return other !== undefined;
}
