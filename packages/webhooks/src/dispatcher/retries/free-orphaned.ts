import { textArray, type Database } from '@pulsewire/database';

/**
 * Ends the leases of rows whose dispatcher is not among `members`, so that they need not wait until those run out: a lease is long,
 * because a row may wait in an endpoint queue before its attempt. Reads every row, so it is for when a member has gone. Gives how many there were.
 */
export async function freeOrphaned({ sql }: Database, members: readonly string[]): Promise<number> {
  // Rows that somebody is writing at this moment are not waited for: their leases run out by themselves.
  const freed = await sql`
    WITH orphaned AS MATERIALIZED (
      SELECT endpoint_id, event_id FROM webhook_pending
      WHERE lease_owner IS NOT NULL AND lease_owner <> ALL(${textArray(members)}::text[]) FOR UPDATE SKIP LOCKED
    )
    UPDATE webhook_pending p SET lease_owner = NULL, lease_until = NULL
    FROM orphaned o WHERE p.endpoint_id = o.endpoint_id AND p.event_id = o.event_id`;
  return freed.count;
}
