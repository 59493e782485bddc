import { utcDay } from '@pulsewire/kernel';
import { and, eq, gt, isNull } from 'drizzle-orm';
import { run, type Database, type Tx } from '@pulsewire/database';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { addDays, createZoneFinder, type Connector } from '@pulsewire/providers';
import type { LinkContext } from '../context/context.ts';
import { fromStored, type Connection } from '../model/connection.ts';
import { connectionHandovers, connections } from '../model/tables.ts';
import { startResourceHandover } from './start-resource-handover.ts';
import { lockUser } from '../users/find-user.ts';
import type { User } from '../users/user.ts';
import { leaveToSuccessor } from './leave-to-successor.ts';
import { endConnection } from '../connection-status/end-connection.ts';

type HandoverContext = Pick<LinkContext, 'clock' | 'connectors' | 'onDeregistered' | 'lastDayRead'>;

export interface NextConnection {
  readonly connection: Connection;
  readonly connector: Pick<Connector, 'slug' | 'succeeds'>;
  readonly user: Pick<User, 'clientUserId' | 'fallbackTimeZone'>;
  /** Nothing was read from it yet, although it was stored before: it was imported. */
  readonly isUnread?: boolean;
}

/** The user's connection to the account that the new one succeeds. */
async function findPredecessor({ orm }: Tx, { connection, connector }: NextConnection): Promise<Connection | undefined> {
  const account = connector.succeeds?.accountOf(connection.account) ?? null;
  if (!connector.succeeds || account === null || connection.providerUserId === null) return undefined;
  const { teamId, userId, provider, providerUserId, demoDueAt } = connections;
  const isPredecessor = and(
    eq(teamId, connection.teamId),
    eq(userId, connection.userId),
    eq(provider, connector.succeeds.provider),
    eq(providerUserId, account),
    isNull(demoDueAt),
  );
  const [row] = await run(orm.select().from(connections).where(isPredecessor).for('update'));
  return row && fromStored(row);
}

/** Whether the account was connected before and read: that cannot be divided any more. */
async function wasRead(context: HandoverContext, tx: Tx, { connection: next, isUnread = false }: NextConnection): Promise<boolean> {
  if (isUnread) return false;
  const { connectionId, teamId, createdAt, updatedAt } = connections;
  const isRevived = and(eq(connectionId, next.connectionId), eq(teamId, next.teamId), gt(updatedAt, createdAt));
  const rows = await run(tx.orm.select({ connectionId }).from(connections).where(isRevived));
  if (rows.length === 0) return false;
  return context.lastDayRead === undefined || (await context.lastDayRead(tx, next.connectionId)) !== null;
}

/** The first day of the successor; null: nothing was read from the predecessor. `isOver`: nothing more will be. */
async function chooseDay(context: HandoverContext, tx: Tx, old: Connection, today: string) {
  const lastDay = context.lastDayRead ? await context.lastDayRead(tx, old.connectionId) : today;
  // A connection that is polled was read yesterday at the latest. It keeps today, of which a part is stored already.
  const isAlive = old.status === 'connected' && lastDay !== null && lastDay >= addDays(today, -1);
  if (isAlive) return { isOver: false, onDay: addDays(today, 1) };
  return { isOver: true, onDay: lastDay === null ? null : addDays(lastDay, 1) };
}

type HandoverKey = Pick<typeof connectionHandovers.$inferSelect, 'teamId' | 'userId' | 'fromProvider' | 'fromAccount'>;

const isHandover = ({ teamId, userId, fromProvider, fromAccount }: HandoverKey) =>
  and(
    eq(connectionHandovers.userId, userId),
    eq(connectionHandovers.teamId, teamId),
    eq(connectionHandovers.fromProvider, fromProvider),
    eq(connectionHandovers.fromAccount, fromAccount),
  );

/** The day of a handover from this account; null: there is none. */
async function dayOfHandover({ orm }: Tx, key: HandoverKey): Promise<string | null> {
  const [row] = await run(orm.select({ onDay: connectionHandovers.onDay }).from(connectionHandovers).where(isHandover(key)));
  return row?.onDay ?? null;
}

/**
 * Hands a user's connection to an ending provider over to the one that was just stored, when both accounts belong to the same person. Days
 * are never divided: the old connection keeps those up to today and is ended later (`endHandedOver`), once late data of its last day had
 * time to arrive. One that has stopped delivering is removed at once, and the new one starts on the day after the last that was read.
 * In the transaction that stores the new connection, whose caller holds the lock of the user.
 */
export async function handOver(tx: Tx, emit: Emit, context: HandoverContext, next: NextConnection): Promise<void> {
  const { connection, connector, user } = next;
  await startResourceHandover(tx, context, connection);
  if (!connector.succeeds) return leaveToSuccessor(tx, context, connection);
  if (connection.providerUserId === null) return;
  const { userId, teamId } = connection;
  const old = await findPredecessor(tx, next);
  const back = { teamId, userId, fromProvider: connector.slug, fromAccount: connection.providerUserId };
  const backDay = await dayOfHandover(tx, back);
  const endBack = () => run(tx.orm.delete(connectionHandovers).where(isHandover(back)));
  if (old === undefined || old.providerUserId === null) return void (await endBack());
  const key = { teamId, userId, fromProvider: old.provider, fromAccount: old.providerUserId };
  const knownDay = await dayOfHandover(tx, key);
  if (knownDay !== null && (backDay === null || backDay <= knownDay)) return;
  const now = context.clock.now();
  const zoneOn = createZoneFinder(old.account, user.fallbackTimeZone?.value ?? null);
  const today = zoneOn(utcDay(now)).dayOf(now.getTime());
  // Handed back before, its days are divided already.
  const isDivided = backDay !== null || !(await wasRead(context, tx, next));
  const { isOver, onDay } = isDivided ? await chooseDay(context, tx, old, today) : { isOver: true, onDay: null };
  if (onDay === null) await endBack();
  else {
    const at = new Date(zoneOn(onDay).startOfDay(onDay).ms);
    const handover = { ...key, toProvider: connector.slug, toAccount: connection.providerUserId, onDay, at, createdAt: now };
    const target = [connectionHandovers.userId, connectionHandovers.fromProvider, connectionHandovers.fromAccount];
    const whenKnown = { target, set: { onDay, at } };
    await run(tx.orm.insert(connectionHandovers).values(handover).onConflictDoUpdate(whenKnown));
  }
  if (isOver) await endConnection(tx, emit, context, old, { clientUserId: user.clientUserId, reason: 'replaced' });
}

/**
 * `handOver` for an imported connection, once the facts of its account are known and before anything is read from it: an import knows tokens
 * and account id only. Calling it again changes nothing. Throws AppError `user_deleted` or `user_not_found`.
 */
export async function handOverImported(context: HandoverContext & { readonly database: Database }, connection: Connection): Promise<void> {
  const connector = context.connectors.find(({ slug }) => slug === connection.provider);
  if (!connector) return;
  await withEvents(context.database, async (tx, emit) => {
    const user = await lockUser(tx, connection.teamId, connection.userId);
    await handOver(tx, emit, context, { connection, connector, user, isUnread: true });
  });
}
