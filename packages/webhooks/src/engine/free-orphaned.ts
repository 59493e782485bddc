import { textArray, type Database } from '@pulsewire/database';

/**
 * Ends the leases of rows whose dispatcher is not among `members`, so that they need not wait until those run out: a lease is long,
 * because a row may wait in a lane before its attempt. Reads every row, so it is for when a member has gone. Gives how many there were.
 */
export async function freeOrphaned({ sql }: Database, members: readonly string[]): Promise<number> {
  const freed = await sql`
    UPDATE webhook_pending SET lease_owner = NULL, lease_until = NULL
    WHERE lease_owner IS NOT NULL AND lease_owner <> ALL(${textArray(members)}::text[])`;
  return freed.count;
}
