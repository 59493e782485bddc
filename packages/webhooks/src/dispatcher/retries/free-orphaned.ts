import { textArray, type Database } from '@pulsewire/database';

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
