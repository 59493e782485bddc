import { plainArray, type Tx } from '@pulsewire/database';
import { readShardCount } from '../model/read-shard-count.ts';
import { shardsOfUser } from '../model/shard.ts';

/** An event's place in the log. */
export interface LogAddress {
  readonly shard: number;
  readonly offset: number;
  /** `YYYY-MM-DD`. */
  readonly day: string;
}

const chunkSize = 5000;

/**
 * Removes the bodies of a user's events, and the team's reference to the user, from the log; part of the erasure after the grace period.
 * The rows stay, because readers rely on dense offsets. An erased event reads as `{}`. Returns the addresses of all of the user's events,
 * in order, so that other stores can erase their copies.
 */
export async function eraseUserEvents(
  tx: Tx,
  { teamId, userId }: { readonly teamId: string; readonly userId: string },
): Promise<readonly LogAddress[]> {
  const { sql } = tx;
  const shards = shardsOfUser(userId, await readShardCount(tx));
  const rows = await sql<{ shard: number; offset: string; day: string }[]>`
    SELECT shard, "offset", day FROM log_events
    WHERE team_id = ${teamId} AND shard = ANY(${plainArray(shards)}::smallint[]) AND user_id = ${userId} ORDER BY "offset"`;
  if (rows.length === 0) return [];
  const addresses = rows.map(({ shard, offset, day }) => ({ shard, offset: Number(offset), day }));
  // In batches, so that no statement exceeds its time limit.
  for (let from = 0; from < addresses.length; from += chunkSize) {
    const chunk = addresses.slice(from, from + chunkSize);
    await sql`
      UPDATE log_events e SET json = '{}', packed = NULL, client_user_id = NULL
      FROM unnest(
        ${plainArray(chunk.map(({ shard }) => shard))}::smallint[], ${plainArray(chunk.map(({ offset }) => offset))}::bigint[],
        ${plainArray(chunk.map(({ day }) => day))}::date[]
      ) AS a(shard, "offset", day)
      WHERE e.shard = a.shard AND e."offset" = a."offset" AND e.day = a.day AND e.user_id = ${userId} AND (e.packed IS NOT NULL OR e.json <> '{}')`;
  }
  return addresses;
}
