import { and, eq, inArray, isNull } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import type { LinkContext } from '../context/context.ts';
import { fromStored, type Connection } from '../model/connection.ts';
import { connectionHandovers, connections } from '../model/tables.ts';
import { handBackTo } from './hand-back.ts';

/** Earlier than any data: every day belongs to the successor. */
const ever = { onDay: '1970-01-01', at: new Date(0) };

/**
 * For a connection to an ending provider that was just stored while the user has one to the same account at the successor, which reads its
 * history too: the new connection is read for no day, and `endHandedOver` removes it. A handover that is known stays. When the successor is
 * in error, the new connection is read from the day after its last, until the user links the successor again.
 */
export async function leaveToSuccessor(
  tx: Tx,
  context: Pick<LinkContext, 'clock' | 'connectors' | 'lastDayRead'>,
  ending: Connection,
): Promise<void> {
  const successors = context.connectors.filter(({ succeeds }) => succeeds?.provider === ending.provider);
  if (successors.length === 0 || ending.providerUserId === null) return;
  const { teamId, userId } = ending;
  const isOther = and(
    eq(connections.userId, userId),
    eq(connections.teamId, teamId),
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
  if (successor.status === 'error') {
    return handBackTo(tx, context, successor, { provider: ending.provider, account: ending.providerUserId });
  }
  const accounts = { fromAccount: ending.providerUserId, toProvider: successor.provider, toAccount: successor.providerUserId };
  const handover = { teamId, userId, fromProvider: ending.provider, ...accounts, ...ever, createdAt: context.clock.now() };
  await run(tx.orm.insert(connectionHandovers).values(handover).onConflictDoNothing());
}
