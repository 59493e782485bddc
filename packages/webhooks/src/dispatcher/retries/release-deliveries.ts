import { isNotNull } from 'drizzle-orm';
import { run, type Executor } from '@pulsewire/database';
import { webhookPending, webhookReplays } from '../../model/tables.ts';

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
