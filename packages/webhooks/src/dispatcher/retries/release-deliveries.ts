import type { Executor } from '@pulsewire/database';

/**
 * Frees the deliveries and replays that a dispatcher had leased when a backup was made: they are repeated, with the same `webhook-id`. Call
 * only while no dispatcher runs. Returns their number.
 */
export async function releaseDeliveries({ sql }: Executor): Promise<number> {
  const pending = await sql`
    UPDATE webhook_pending SET lease_owner = NULL, lease_until = NULL WHERE lease_owner IS NOT NULL RETURNING 1`;
  const replays = await sql`
    UPDATE webhook_replays SET lease_owner = NULL, lease_until = NULL WHERE lease_owner IS NOT NULL RETURNING 1`;
  return pending.length + replays.length;
}
