import { textArray, type Database, run, type Executor } from '@pulsewire/database';
import { isNotNull } from 'drizzle-orm';
import { webhookPending, webhookReplays } from '../../model/tables.ts';

/**
 * Ends leases of dispatchers that are not in `members`. Leases are long, because a row may wait in an endpoint queue before its attempt, so
 * waiting for them to expire would take long. Reads every row, so call it only after a member has gone. Returns the number of rows.
 */
export async function freeOrphaned({ sql }: Database, members: readonly string[]): Promise<number> {
  // Skips locked rows; their leases expire by themselves.
  const freed = await sql`
    WITH orphaned AS MATERIALIZED (
      SELECT endpoint_id, event_id FROM webhook_pending
      WHERE lease_owner IS NOT NULL AND lease_owner <> ALL(${textArray(members)}::text[]) FOR UPDATE SKIP LOCKED
    )
    UPDATE webhook_pending p SET lease_owner = NULL, lease_until = NULL
    FROM orphaned o WHERE p.endpoint_id = o.endpoint_id AND p.event_id = o.event_id`;
  return freed.count;
}

/**
 * Frees the deliveries and replays that a dispatcher had leased when a backup was made: they are repeated, with the same `webhook-id`. Call
 * only while no dispatcher runs. Returns their number.
 */
export async function releaseDeliveries({ orm }: Executor): Promise<number> {
  const free = { leaseOwner: null, leaseUntil: null };
  const pending = await run(orm.update(webhookPending).set(free).where(isNotNull(webhookPending.leaseOwner)));
  const replays = await run(orm.update(webhookReplays).set(free).where(isNotNull(webhookReplays.leaseOwner)));
  return pending.count + replays.count;
}
