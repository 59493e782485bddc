import { and, eq, inArray, isNull } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import type { LinkContext } from '../context/context.ts';
import { fromStored, type Connection } from '../model/connection.ts';
import { connectionHandovers, connections } from '../model/tables.ts';

/** Earlier than any data: every day belongs to the successor. */
const ever = { onDay: '1970-01-01', at: new Date(0) };

/**
 * For a connection to an ending provider that was just stored while the user is connected to the same account at the successor, which
 * reads its history too: the new connection is read for no day, and `endSucceeded` removes it. A handover that is known stays.
 */
export async function leaveToSuccessor(
  tx: Tx,
  { clock, connectors }: Pick<LinkContext, 'clock' | 'connectors'>,
  ending: Connection,
): Promise<void> {
  const successors = connectors.filter(({ succeeds }) => succeeds?.provider === ending.provider);
  if (successors.length === 0 || ending.providerUserId === null) return;
  const { teamId, userId } = ending;
  const isOther = and(
    eq(connections.userId, userId),
    eq(connections.teamId, teamId),
    eq(connections.status, 'connected'),
    isNull(connections.demoDueAt),
    inArray(
      connections.provider,
      successors.map(({ slug }) => slug),
    ),
  );
  const rows = await run(tx.orm.select().from(connections).where(isOther));
  const successor = rows.map(fromStored).find(({ provider, account }) => {
    const connector = successors.find(({ slug }) => slug === provider);
    return connector?.succeeds?.accountOf(account) === ending.providerUserId;
  });
  if (!successor || successor.providerUserId === null) return;
  const accounts = { fromAccount: ending.providerUserId, toProvider: successor.provider, toAccount: successor.providerUserId };
  const handover = { teamId, userId, fromProvider: ending.provider, ...accounts, ...ever, createdAt: clock.now() };
  await run(tx.orm.insert(connectionHandovers).values(handover).onConflictDoNothing());
}
