import { plainArray, type Tx } from '@pulsewire/database';
import { shardOf } from './shard.ts';

/** Where an event stands in the log. */
export interface LogAddress {
  readonly shard: number;
  readonly offset: number;
  /** `YYYY-MM-DD`. */
  readonly day: string;
}

/**
 * Removes the bodies of a user's events, and the team's reference to the user, from the log; part of the erasure after the
 * grace period (interface 3.3). The rows stay: offsets are dense, and readers count on it. An erased event reads as `{}`.
 * Gives the places of all that the log has of the user, in their order, so that others erase what they keep of these events.
 */
export async function eraseUserEvents(
  { sql }: Tx,
  { teamId, userId }: { readonly teamId: string; readonly userId: string },
): Promise<readonly LogAddress[]> {
  const shard = shardOf(userId);
  const rows = await sql<{ offset: string; day: string }[]>`
    SELECT "offset", day FROM log_events WHERE team_id = ${teamId} AND shard = ${shard} AND user_id = ${userId} ORDER BY "offset"`;
  if (rows.length === 0) return [];
  const addresses = rows.map(({ offset, day }) => ({ shard, offset: Number(offset), day }));
  await sql`
    UPDATE log_events e SET json = '{}', packed = NULL, client_user_id = NULL
    FROM unnest(${plainArray(addresses.map(({ offset }) => offset))}::bigint[], ${plainArray(addresses.map(({ day }) => day))}::date[]) AS a("offset", day)
    WHERE e.shard = ${shard} AND e."offset" = a."offset" AND e.day = a.day AND e.user_id = ${userId} AND (e.packed IS NOT NULL OR e.json <> '{}')`;
  return addresses;
}
