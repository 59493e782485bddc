import type { Executor } from '@pulsewire/database';
import { webhookChannel } from '../model/wake-channel.ts';
import type { MessageAddress } from './read-deliveries.ts';

/** A message for one endpoint, to be sent at once, before its order and beside every replay. */
export interface Enqueued extends MessageAddress {
  readonly endpointId: string;
  readonly userId: string | null;
  readonly eventType: string;
}

/** What became of a message that is to be sent; the values of `MessageSentBody.status`. */
export type EnqueueResult = 'queued' | 'held' | 'under_way';

/**
 * Puts a message on its way with a schedule of its own; one that waits already gets its turn now. Not one that is held behind
 * earlier ones of its user, which it would overtake, nor one that a dispatcher works on. The row of a replay is the replay's no
 * longer: cancelling the replay must not take back what was asked for here. Gives what became of it.
 */
export async function enqueue({ sql }: Executor, one: Enqueued): Promise<EnqueueResult> {
  const [row] = await sql<{ is_held: boolean; is_leased: boolean }[]>`
    INSERT INTO webhook_pending AS w (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at, user_id, event_type)
    VALUES (${one.endpointId}, ${one.eventId}, ${one.shard}, ${one.offset}, ${one.day}, 0, now(), ${one.userId}, ${one.eventType})
    ON CONFLICT (endpoint_id, event_id) DO UPDATE
    SET lane = EXCLUDED.lane, replay_id = NULL,
        due_at = CASE WHEN w.due_at = 'infinity' OR w.lease_until >= now() THEN w.due_at ELSE now() END
    RETURNING w.due_at = 'infinity' AS is_held, coalesce(w.lease_until >= now(), false) AS is_leased`;
  if (row?.is_leased === true) return 'under_way';
  if (row?.is_held === true) return 'held';
  await sql`SELECT pg_notify(${webhookChannel}, ${one.endpointId})`;
  return 'queued';
}
