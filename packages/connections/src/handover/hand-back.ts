import { and, eq } from 'drizzle-orm';
import { utcDay, type Clock } from '@pulsewire/kernel';
import { run, type Tx } from '@pulsewire/database';
import { addDays, createZoneFinder } from '@pulsewire/providers';
import type { Connection } from '../model/connection.ts';
import { connectionHandovers, users } from '../model/tables.ts';

export interface HandBackOptions {
  readonly clock: Clock;
  /** The last local day (`YYYY-MM-DD`) that was read from a connection; null: none. Absent: every connection counts as read until today. */
  readonly lastDayRead?: (tx: Tx, connectionId: string) => Promise<string | null>;
}

/** The account whose days another connection took over. */
interface Predecessor {
  readonly provider: string;
  readonly account: string;
  /** The first day of the connection that took over; null: it began with its history. */
  readonly onDay: string | null;
}

/** The handover to the connection; undefined: it succeeded none. */
async function findPredecessor({ orm }: Tx, { teamId, userId, provider, providerUserId }: Connection): Promise<Predecessor | undefined> {
  if (providerUserId === null) return undefined;
  const { fromProvider, fromAccount, toProvider, toAccount, onDay } = connectionHandovers;
  const isTaken = and(
    eq(connectionHandovers.userId, userId),
    eq(connectionHandovers.teamId, teamId),
    eq(toProvider, provider),
    eq(toAccount, providerUserId),
  );
  const [taken] = await run(orm.select({ provider: fromProvider, account: fromAccount, onDay }).from(connectionHandovers).where(isTaken));
  return taken;
}

/** What has been read from a connection when nothing more will be. */
interface LastRead {
  /** The last local day; null: none. */
  readonly lastDay: string | null;
  readonly fallbackTimeZone: string | null;
}

/** Call it before the connection's plan is deleted. */
async function findLastRead(tx: Tx, { clock, lastDayRead }: HandBackOptions, gone: Connection): Promise<LastRead> {
  const isUser = and(eq(users.userId, gone.userId), eq(users.teamId, gone.teamId));
  const [user] = await run(tx.orm.select({ timeZone: users.fallbackTimeZone }).from(users).where(isUser));
  const fallbackTimeZone = user?.timeZone ?? null;
  const now = clock.now();
  const today = createZoneFinder(gone.account, fallbackTimeZone)(utcDay(now)).dayOf(now.getTime());
  return { lastDay: lastDayRead ? await lastDayRead(tx, gone.connectionId) : today, fallbackTimeZone };
}

/** Hands the days after the last one that `gone` read over to `successor`. The caller holds the user's lock. */
async function handDaysTo(tx: Tx, options: HandBackOptions, gone: Connection, successor: Predecessor): Promise<void> {
  const { teamId, userId, provider, providerUserId } = gone;
  if (providerUserId === null) return;
  const { lastDay, fallbackTimeZone } = await findLastRead(tx, options, gone);
  const zoneOn = createZoneFinder(gone.account, fallbackTimeZone);
  const { fromProvider, fromAccount } = connectionHandovers;
  if (lastDay === null || (successor.onDay !== null && lastDay < successor.onDay)) {
    const isTaken = and(
      eq(connectionHandovers.userId, userId),
      eq(connectionHandovers.teamId, teamId),
      eq(fromProvider, successor.provider),
      eq(fromAccount, successor.account),
    );
    await run(tx.orm.delete(connectionHandovers).where(isTaken));
    return;
  }
  const onDay = addDays(lastDay, 1);
  const next = { toProvider: successor.provider, toAccount: successor.account, onDay, at: new Date(zoneOn(onDay).startOfDay(onDay).ms) };
  const target = [connectionHandovers.userId, fromProvider, fromAccount];
  await run(
    tx.orm
      .insert(connectionHandovers)
      .values({ teamId, userId, fromProvider: provider, fromAccount: providerUserId, ...next, createdAt: options.clock.now() })
      .onConflictDoUpdate({ target, set: next }),
  );
}

/**
 * Before a connection is removed to which another was handed over: the other one may be read again, from the day after the last that was
 * read from this one, or without a break when nothing was. Otherwise it would stay connected and silent. Two handovers of the same accounts
 * may then exist, one in each direction; the one of the later day counts. The caller holds the lock of the user.
 */
export async function handBack(tx: Tx, options: HandBackOptions, gone: Connection): Promise<void> {
  const predecessor = await findPredecessor(tx, gone);
  if (predecessor) await handDaysTo(tx, options, gone, predecessor);
}

/**
 * The same for a successor that is in error, beside which its user links the ending provider again: without it the history would be read
 * from both.
 */
export async function handBackTo(
  tx: Tx,
  options: HandBackOptions,
  failed: Connection,
  successor: { provider: string; account: string },
): Promise<void> {
  await handDaysTo(tx, options, failed, (await findPredecessor(tx, failed)) ?? { ...successor, onDay: null });
}
