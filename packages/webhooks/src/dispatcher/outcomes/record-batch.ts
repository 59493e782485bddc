import { plainArray, type Tx, textArray } from '@pulsewire/database';
import { objectKeyOf } from '../../bodies/body.ts';
import type { RecordItem } from '../delivery/delivery.ts';
import { attemptOutcomes } from '../../model/attempt-outcome.ts';

/** Updates the counters of replays in the transaction that records their deliveries. */
async function countReplays({ sql }: Tx, items: readonly RecordItem[]): Promise<void> {
  const counts = new Map<string, { delivered: number; exhausted: number }>();
  for (const { attempt, delivery } of items) {
    if (delivery.replayId === null || (attempt?.outcome !== 'delivered' && attempt?.outcome !== 'exhausted')) continue;
    const count = counts.get(delivery.replayId) ?? { delivered: 0, exhausted: 0 };
    count[attempt.outcome] += 1;
    counts.set(delivery.replayId, count);
  }
  if (counts.size === 0) return;
  const values = [...counts.values()];
  await sql`
    UPDATE webhook_replays r SET delivered = r.delivered + c.delivered, exhausted = r.exhausted + c.exhausted
    FROM unnest(${plainArray([...counts.keys()])}::uuid[], ${plainArray(values.map((one) => one.delivered))}::int[],
                ${plainArray(values.map((one) => one.exhausted))}::int[]) AS c(replay_id, delivered, exhausted)
    WHERE r.replay_id = c.replay_id`;
}

/** One array per column, as literals: a fifth of what the driver's own array encoding costs. */
function column(items: readonly RecordItem[], pick: (item: RecordItem) => number | string | boolean | null): string {
  return plainArray(items.map(pick));
}

const endpointIds = (items: readonly RecordItem[]): string => column(items, ({ delivery }) => delivery.endpoint.endpointId);
const eventIds = (items: readonly RecordItem[]): string => column(items, ({ delivery }) => delivery.message.eventId);

async function insertAttempts({ sql }: Tx, items: readonly RecordItem[]): Promise<void> {
  const made = items.filter((item) => item.attempt !== null);
  if (made.length === 0) return;
  await sql`
    INSERT INTO webhook_attempts (day, endpoint_id, attempted_at, event_id, shard, "offset", log_day, attempt, outcome, status, duration_ms, error, event_type)
    SELECT (at AT TIME ZONE 'UTC')::date, endpoint_id, at, event_id, shard, "offset", log_day, attempt, outcome, status, duration_ms, error, event_type
    FROM unnest(
      ${endpointIds(made)}::uuid[], ${column(made, ({ attempt }) => attempt?.attemptedAtMs ?? 0)}::float8[], ${eventIds(made)}::uuid[],
      ${column(made, ({ delivery }) => delivery.event.shard)}::smallint[], ${column(made, ({ delivery }) => delivery.event.offset)}::bigint[],
      ${column(made, ({ delivery }) => delivery.event.day)}::date[], ${column(made, (item) => item.attempts)}::smallint[],
      ${column(made, ({ attempt }) => attemptOutcomes[attempt?.outcome ?? 'failed'])}::smallint[],
      ${column(made, ({ attempt }) => attempt?.status ?? null)}::smallint[], ${column(made, ({ attempt }) => Math.round(attempt?.durationMs ?? 0))}::integer[],
      ${column(made, ({ attempt }) => attempt?.error ?? null)}::text[], ${textArray(made.map(({ delivery }) => delivery.message.eventType))}::text[]
    ) AS a(endpoint_id, at_ms, event_id, shard, "offset", log_day, attempt, outcome, status, duration_ms, error, event_type)
    CROSS JOIN LATERAL (SELECT to_timestamp(at_ms / 1000) AS at) t`;
}

/** Only for ordered deliveries of endpoints that skip superseded versions. */
function objectKeyOfItem({ delivery }: RecordItem): string | null {
  return delivery.isOrdered && delivery.endpoint.skipsSuperseded ? objectKeyOf(delivery.message) : null;
}

/**
 * Rows of endpoints that were removed meanwhile are left out. An existing row that an earlier owner of the shard wrote stays. The row of a
 * replay becomes the live one: cancelling the replay must not remove it, and the order of its user must hold. So does a row that a resend
 * added beside the first attempt of an ordered delivery: it would let the user's next message pass.
 */
async function insertRows({ sql }: Tx, owner: string, items: readonly RecordItem[]): Promise<void> {
  if (items.length === 0) return;
  await sql`
    INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at, lease_owner, lease_until,
                                 user_id, event_type, is_ordered, object_key)
    SELECT e.endpoint_id, p.event_id, p.shard, p."offset", p.log_day, p.attempts,
           CASE WHEN p.due_in_ms IS NULL THEN 'infinity' ELSE clock_timestamp() + p.due_in_ms * interval '1 ms' END,
           CASE WHEN p.lease_ms IS NOT NULL THEN ${owner} END, clock_timestamp() + p.lease_ms * interval '1 ms',
           p.user_id, p.event_type, p.is_ordered, p.object_key
    FROM unnest(
      ${endpointIds(items)}::uuid[], ${eventIds(items)}::uuid[],
      ${column(items, ({ delivery }) => delivery.event.shard)}::smallint[], ${column(items, ({ delivery }) => delivery.event.offset)}::bigint[],
      ${column(items, ({ delivery }) => delivery.event.day)}::date[], ${column(items, (item) => item.attempts)}::smallint[],
      ${column(items, (item) => item.dueInMs)}::bigint[], ${column(items, (item) => item.leaseMs)}::bigint[],
      ${column(items, ({ delivery }) => delivery.event.userId)}::uuid[], ${textArray(items.map(({ delivery }) => delivery.message.eventType))}::text[],
      ${column(items, ({ delivery }) => delivery.isOrdered)}::boolean[], ${textArray(items.map(objectKeyOfItem))}::text[]
    ) AS p(endpoint_id, event_id, shard, "offset", log_day, attempts, due_in_ms, lease_ms, user_id, event_type, is_ordered, object_key)
    JOIN webhook_endpoints e USING (endpoint_id)
    ON CONFLICT (endpoint_id, event_id) DO UPDATE
    SET lane = EXCLUDED.lane, replay_id = NULL, is_ordered = EXCLUDED.is_ordered, object_key = EXCLUDED.object_key,
        attempts = EXCLUDED.attempts, due_at = EXCLUDED.due_at, lease_owner = EXCLUDED.lease_owner, lease_until = EXCLUDED.lease_until
    WHERE webhook_pending.replay_id IS NOT NULL OR (EXCLUDED.is_ordered AND NOT webhook_pending.is_ordered)`;
}

/**
 * Only under our own lease: if it expired and another dispatcher claimed the row, only that dispatcher may write it. A delivery claimed
 * outside of the order (replay, resend) does not reschedule a row that has since joined a user queue.
 */
async function updateRows({ sql }: Tx, owner: string, items: readonly RecordItem[]): Promise<void> {
  if (items.length === 0) return;
  await sql`
    UPDATE webhook_pending w
    SET attempts = p.attempts, due_at = clock_timestamp() + p.due_in_ms * interval '1 ms', lease_owner = NULL, lease_until = NULL
    FROM unnest(
      ${endpointIds(items)}::uuid[], ${eventIds(items)}::uuid[],
      ${column(items, (item) => item.attempts)}::smallint[], ${column(items, (item) => item.dueInMs ?? 0)}::bigint[],
      ${column(items, ({ delivery }) => delivery.isOrdered)}::boolean[]
    ) AS p(endpoint_id, event_id, attempts, due_in_ms, is_ordered)
    WHERE w.endpoint_id = p.endpoint_id AND w.event_id = p.event_id AND w.lease_owner = ${owner} AND (p.is_ordered OR NOT w.is_ordered)`;
}

/**
 * Regardless of the lease, because a delivered or exhausted message needs no further attempt. A row that has joined a user queue since it
 * was claimed stays: it keeps its position, and its own outcome frees the next row of its user.
 */
async function deleteRows({ sql }: Tx, items: readonly RecordItem[]): Promise<void> {
  if (items.length === 0) return;
  await sql`
    DELETE FROM webhook_pending w
    USING unnest(${endpointIds(items)}::uuid[], ${eventIds(items)}::uuid[], ${column(items, ({ delivery }) => delivery.isOrdered)}::boolean[])
      AS p(endpoint_id, event_id, is_ordered)
    WHERE w.endpoint_id = p.endpoint_id AND w.event_id = p.event_id AND (p.is_ordered OR NOT w.is_ordered)`;
}

/** Writes the attempts and rows of a batch, pipelined in one round trip. */
export async function recordBatch(tx: Tx, owner: string, items: readonly RecordItem[]): Promise<void> {
  const of = (row: RecordItem['row']) => items.filter((item) => item.row === row);
  await Promise.all([
    insertAttempts(tx, items),
    deleteRows(tx, of('delete')),
    insertRows(tx, owner, of('insert')),
    updateRows(tx, owner, of('update')),
    countReplays(tx, items),
  ]);
}
