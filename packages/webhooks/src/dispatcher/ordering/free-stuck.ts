import { plainArray, type Database } from '@pulsewire/database';
import { firstShardOf, lockPositions } from '@pulsewire/eventlog';

/** Where the next check continues: after this queue. */
export interface UserQueueCursor {
  readonly endpointId: string;
  readonly userId: string;
}

/** Sorts before every user queue. */
export const firstUserQueue: UserQueueCursor = {
  endpointId: '00000000-0000-0000-0000-000000000000',
  userId: '00000000-0000-0000-0000-000000000000',
};

interface Head {
  endpoint_id: string;
  user_id: string;
  shard: number;
  is_held: boolean;
}

/**
 * Checks the next `limit` user queues and makes the first row of each due if nothing holds it back, which happens when the rows before it
 * were removed by an erasure or by hand. Costs one index lookup per user queue, whatever its length. A held row waits for a delivery
 * without a row only while the position is before it, so only rows that the position has passed are freed. Returns the endpoints of freed
 * rows, and where to continue; null at the end.
 */
export async function freeStuckUserQueues(
  database: Database,
  group: string,
  { after, limit }: { readonly after: UserQueueCursor; readonly limit: number },
): Promise<{ readonly freed: readonly string[]; readonly next: UserQueueCursor | null }> {
  const heads = await database.sql<Head[]>`
    WITH RECURSIVE heads AS (
      (SELECT endpoint_id, user_id, shard, due_at FROM webhook_pending
       WHERE is_ordered AND (endpoint_id, user_id) > (${after.endpointId}::uuid, ${after.userId}::uuid)
       ORDER BY endpoint_id, user_id, "offset", event_id LIMIT 1)
      UNION ALL
      SELECT n.* FROM heads h CROSS JOIN LATERAL (
        SELECT endpoint_id, user_id, shard, due_at FROM webhook_pending
        WHERE is_ordered AND (endpoint_id, user_id) > (h.endpoint_id, h.user_id)
        ORDER BY endpoint_id, user_id, "offset", event_id LIMIT 1) n
    )
    SELECT endpoint_id, user_id, shard, due_at = 'infinity' AS is_held FROM heads LIMIT ${limit}`;
  const last = heads.length < limit ? undefined : heads.at(-1);
  const next = last === undefined ? null : { endpointId: last.endpoint_id, userId: last.user_id };
  const held = heads.filter((head) => head.is_held);
  return { freed: held.length === 0 ? [] : await free(database, group, held), next };
}

async function free(database: Database, group: string, heads: readonly Head[]): Promise<readonly string[]> {
  return database.transaction(async (tx) => {
    // The same locks as for writing rows of these users, so that none is inserted or settled meanwhile.
    const positions = await lockPositions(tx, group, [...new Set(heads.flatMap(({ shard }) => [shard, firstShardOf(shard)]))]);
    const rows = await tx.sql<{ endpoint_id: string }[]>`
      UPDATE webhook_pending w SET due_at = clock_timestamp()
      FROM unnest(${plainArray(heads.map((head) => head.endpoint_id))}::uuid[], ${plainArray(heads.map((head) => head.user_id))}::uuid[]) AS l(endpoint_id, user_id)
      CROSS JOIN LATERAL (
        SELECT f.event_id, f.due_at, f.shard, f."offset" FROM webhook_pending f
        WHERE f.is_ordered AND f.endpoint_id = l.endpoint_id AND f.user_id = l.user_id ORDER BY f."offset", f.event_id LIMIT 1
      ) h
      JOIN unnest(${plainArray(positions.map(({ shard }) => shard))}::smallint[], ${plainArray(positions.map(({ offset }) => offset))}::bigint[])
        AS p(shard, "offset") ON p.shard = h.shard AND p."offset" > h."offset"
      WHERE h.due_at = 'infinity' AND w.endpoint_id = l.endpoint_id AND w.event_id = h.event_id
      RETURNING w.endpoint_id`;
    return [...new Set(rows.map((row) => row.endpoint_id))];
  });
}
