import { and, eq } from 'drizzle-orm';
import type { Clock } from '@pulsewire/kernel';
import { run, type Tx } from '@pulsewire/database';
import { addDays, createZoneFinder } from '@pulsewire/providers';
import type { Connection } from '../model/connection.ts';
import { connectionHandovers, users } from '../model/tables.ts';

export interface HandBackOptions {
  readonly clock: Clock;
  /** The last local day (`YYYY-MM-DD`) that was read from a connection; null: none. Absent: every connection counts as read until today. */
  readonly lastDayRead?: (tx: Tx, connectionId: string) => Promise<string | null>;
}

/**
 * Before a connection is removed to which another was handed over: the other one may be read again, from the day after the last that was
 * read from this one, or without a break when nothing was. Otherwise it would stay connected and silent. Two handovers of the same pair
 * may then exist, one in each direction; the one of the later day counts. The caller holds the lock of the user.
 */
export async function handBack(tx: Tx, options: HandBackOptions, gone: Connection): Promise<void> {
  const { teamId, userId, provider, providerUserId } = gone;
  if (providerUserId === null) return;
  const { fromProvider, fromAccount, toProvider, toAccount } = connectionHandovers;
  const isTaken = and(
    eq(connectionHandovers.userId, userId),
    eq(connectionHandovers.teamId, teamId),
    eq(toProvider, provider),
    eq(toAccount, providerUserId),
  );
  const isUser = and(eq(users.userId, connectionHandovers.userId), eq(users.teamId, connectionHandovers.teamId));
  const [taken] = await run(
    tx.orm
      .select({ fromProvider, fromAccount, onDay: connectionHandovers.onDay, timeZone: users.fallbackTimeZone })
      .from(connectionHandovers)
      .innerJoin(users, isUser)
      .where(isTaken),
  );
  if (!taken) return;
  const now = options.clock.now();
  const zoneOn = createZoneFinder(gone.account, taken.timeZone);
  const today = zoneOn(now.toISOString().slice(0, 10)).dayOf(now.getTime());
  const lastDay = options.lastDayRead ? await options.lastDayRead(tx, gone.connectionId) : today;
  if (lastDay === null || lastDay < taken.onDay) {
    await run(tx.orm.delete(connectionHandovers).where(isTaken));
    return;
  }
  const onDay = addDays(lastDay, 1);
  const given = { toProvider: taken.fromProvider, toAccount: taken.fromAccount, onDay, at: new Date(zoneOn(onDay).startOfDay(onDay).ms) };
  const target = [connectionHandovers.userId, fromProvider, fromAccount];
  await run(
    tx.orm
      .insert(connectionHandovers)
      .values({ teamId, userId, fromProvider: provider, fromAccount: providerUserId, ...given, createdAt: now })
      .onConflictDoUpdate({ target, set: given }),
  );
}
