import { addDays, type Tx } from '@pulsewire/database';
import type { Clock } from '@pulsewire/kernel';
import { createZoneFinder } from '@pulsewire/providers';
import type { Connection } from '../model/connection.ts';

export interface HandBackOptions {
  readonly clock: Clock;
  /** The last local day (`YYYY-MM-DD`) that was read from a connection; null: none. Absent: every connection counts as read until today. */
  readonly lastDayRead?: (tx: Tx, connectionId: string) => Promise<string | null>;
}

interface Taken {
  readonly from_provider: string;
  readonly from_account: string;
  readonly on_day: string;
  readonly fallback_time_zone: string | null;
}

/**
 * Before a connection is removed to which another was handed over: the other one may be read again, from the day after the last that was
 * read from this one, or without a break when nothing was. Otherwise it would stay connected and silent. Two handovers of the same pair
 * may then exist, one in each direction; the one of the later day counts. The caller holds the lock of the user.
 */
export async function handBack(tx: Tx, options: HandBackOptions, gone: Connection): Promise<void> {
  const { teamId, userId, provider, providerUserId } = gone;
  const [taken] = await tx.sql<Taken[]>`
    SELECT h.from_provider, h.from_account, h.on_day::text AS on_day, u.fallback_time_zone
    FROM connection_handovers h JOIN users u ON u.user_id = h.user_id AND u.team_id = h.team_id
    WHERE h.user_id = ${userId} AND h.team_id = ${teamId} AND h.to_provider = ${provider} AND h.to_account = ${providerUserId}`;
  if (!taken || providerUserId === null) return;
  const now = options.clock.now();
  const zoneOn = createZoneFinder(gone.account, taken.fallback_time_zone);
  const today = zoneOn(now.toISOString().slice(0, 10)).dayOf(now.getTime());
  const lastDay = options.lastDayRead ? await options.lastDayRead(tx, gone.connectionId) : today;
  if (lastDay === null || lastDay < taken.on_day) {
    await tx.sql`
      DELETE FROM connection_handovers
      WHERE user_id = ${userId} AND team_id = ${teamId} AND to_provider = ${provider} AND to_account = ${providerUserId}`;
    return;
  }
  const onDay = addDays(lastDay, 1);
  const at = new Date(zoneOn(onDay).startOfDay(onDay).ms).toISOString();
  await tx.sql`
    INSERT INTO connection_handovers (team_id, user_id, from_provider, from_account, to_provider, to_account, on_day, at, created_at)
    VALUES (${teamId}, ${userId}, ${provider}, ${providerUserId}, ${taken.from_provider}, ${taken.from_account}, ${onDay}, ${at}, ${now.toISOString()})
    ON CONFLICT (user_id, from_provider, from_account) DO UPDATE SET
      to_provider = excluded.to_provider, to_account = excluded.to_account, on_day = excluded.on_day, at = excluded.at`;
}
