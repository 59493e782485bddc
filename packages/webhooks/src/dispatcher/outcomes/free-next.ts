import { AppError } from '@pulsewire/kernel';
import { plainArray, type Tx } from '@pulsewire/database';
import { firstShardOf, lockPositions, type Position } from '@pulsewire/eventlog';
import { attemptOutcomes } from '../../model/attempt-outcome.ts';
import type { RecordItem } from '../delivery/delivery.ts';

/** The rows of one user at one ordered endpoint. */
export interface StoredUserQueue {
  readonly endpointId: string;
  readonly userId: string;
  readonly skipsSuperseded: boolean;
}

/** Rows searched from the head of a user queue for superseded versions; the rest follows with the next settled delivery. */
const supersededLookMax = 200;

/** Whether the item can change which row of its user queue is the first. */
function touchesUserQueue({ delivery, row }: RecordItem): boolean {
  return delivery.isOrdered && (row !== 'none' || delivery.userQueue?.mode === 'rows');
}

/**
 * User queues whose first row must be due after this batch. Excludes user queues with an earlier delivery that is still in memory
 * without a row, because recording that delivery frees the next row later.
 */
export function touchedUserQueues(items: readonly RecordItem[]): readonly StoredUserQueue[] {
  const userQueues = new Map<string, StoredUserQueue>();
  for (const item of items) {
    const { delivery } = item;
    const { endpointId, skipsSuperseded } = delivery.endpoint;
    const { userId } = delivery.event;
    if (userId === null || !touchesUserQueue(item) || (delivery.userQueue?.head ?? null) !== null) continue;
    userQueues.set(`${endpointId}:${userId}`, { endpointId, userId, skipsSuperseded });
  }
  return [...userQueues.values()];
}

/**
 * Serialises writers of rows of the same users over all dispatchers: an insert behind a row must not miss that another dispatcher is
 * settling that row. After a reshard the two rows may be of different shards, so the user's first shard is locked as well. Throws AppError
 * `lease_lost` when the shard of a row's event went to another member, which will write it.
 */
export async function lockShards(
  tx: Tx,
  member: { readonly group: string; readonly owner: string },
  positions: readonly Position[],
  items: readonly RecordItem[],
): Promise<void> {
  const ordered = items.filter((item) => item.delivery.isOrdered && item.delivery.event.shard >= 0);
  const ofLines = ordered.flatMap(({ delivery: { event } }) => [event.shard, firstShardOf(event.shard)]);
  const shards = [...new Set([...positions.map(({ shard }) => shard), ...ofLines])];
  const rows = await lockPositions(tx, member.group, shards);
  const epochs = new Map(rows.filter((row) => row.owner === member.owner).map((row) => [row.shard, row.epoch]));
  const lost = ordered.find(
    ({ delivery, row }) => row === 'insert' && delivery.entry !== null && epochs.get(delivery.entry.shard) !== delivery.entry.epoch,
  );
  if (lost !== undefined)
    throw new AppError({
      code: 'lease_lost',
      kind: 'conflict',
      message: 'Another dispatcher owns a user queue of this batch',
      retryable: true,
    });
}

/**
 * Makes the first row of each user queue due, and before that ends those that a newer version has superseded. Must come after the rows of
 * the batch. Returns the endpoints of rows that became due.
 */
export async function freeNext(tx: Tx, userQueues: readonly StoredUserQueue[]): Promise<readonly string[]> {
  if (userQueues.length === 0) return [];
  const { sql } = tx;
  const column = (pick: (one: StoredUserQueue) => string, some = userQueues): string => plainArray(some.map(pick));
  const skipping = userQueues.filter((one) => one.skipsSuperseded);
  const ended = skipping.length === 0 ? undefined : endSuperseded(tx, skipping);
  const freed = sql<{ endpoint_id: string }[]>`
    UPDATE webhook_pending w SET due_at = clock_timestamp()
    FROM unnest(${column((one) => one.endpointId)}::uuid[], ${column((one) => one.userId)}::uuid[]) AS l(endpoint_id, user_id)
    CROSS JOIN LATERAL (
      SELECT f.event_id, f.due_at FROM webhook_pending f
      WHERE f.is_ordered AND f.endpoint_id = l.endpoint_id AND f.user_id = l.user_id ORDER BY f."offset", f.event_id LIMIT 1
    ) h
    WHERE h.due_at = 'infinity' AND w.endpoint_id = l.endpoint_id AND w.event_id = h.event_id
    RETURNING w.endpoint_id`;
  const [rows] = await Promise.all([freed, ended]);
  return [...new Set(rows.map((row) => row.endpoint_id))];
}

/** A subquery over arrays instead of EXISTS: with a join the planner overestimates user queues and reads the whole table. */
async function endSuperseded({ sql }: Tx, userQueues: readonly StoredUserQueue[]): Promise<void> {
  await sql`
    WITH looked AS MATERIALIZED (
      SELECT f.endpoint_id, f.event_id, f.object_key, f.user_id, f."offset"
      FROM unnest(${plainArray(userQueues.map((one) => one.endpointId))}::uuid[], ${plainArray(userQueues.map((one) => one.userId))}::uuid[]) AS l(endpoint_id, user_id)
      CROSS JOIN LATERAL (
        SELECT * FROM webhook_pending w WHERE w.is_ordered AND w.endpoint_id = l.endpoint_id AND w.user_id = l.user_id
        ORDER BY w."offset", w.event_id LIMIT ${supersededLookMax}
      ) f
      WHERE f.due_at = 'infinity' AND f.object_key IS NOT NULL
        AND (SELECT true FROM webhook_pending n
             WHERE n.endpoint_id = f.endpoint_id AND n.object_key = f.object_key AND n.user_id = f.user_id AND n.is_ordered AND n."offset" > f."offset" LIMIT 1)
    ), gone AS (
      DELETE FROM webhook_pending w
      USING unnest(ARRAY(SELECT endpoint_id FROM looked), ARRAY(SELECT event_id FROM looked)) AS f(endpoint_id, event_id)
      WHERE w.endpoint_id = f.endpoint_id AND w.event_id = f.event_id AND w.lease_owner IS NULL
      RETURNING w.*
    )
    INSERT INTO webhook_attempts (day, endpoint_id, attempted_at, event_id, shard, "offset", log_day, attempt, outcome, status, duration_ms, error, event_type)
    SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date, endpoint_id, clock_timestamp(), event_id, shard, "offset", log_day, attempts,
           ${attemptOutcomes.superseded}, NULL, 0, NULL, coalesce(event_type, '')
    FROM gone`;
}
