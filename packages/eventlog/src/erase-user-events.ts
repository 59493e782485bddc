import type { Tx } from '@pulsewire/database';
import { shardOf } from './shard.ts';

/**
 * Removes the bodies of a user's events, and the team's reference to the user, from the log; part of the erasure after the
 * grace period (interface 3.3). The rows stay: offsets are dense, and readers count on it. An erased event reads as `{}`.
 */
export async function eraseUserEvents({ sql }: Tx, userId: string): Promise<void> {
  await sql`
    UPDATE log_events SET json = '{}', packed = NULL, client_user_id = NULL
    WHERE shard = ${shardOf(userId)} AND user_id = ${userId} AND (packed IS NOT NULL OR json <> '{}')`;
}
