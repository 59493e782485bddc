import type { Executor } from '@pulsewire/database';
import { webhookChannel } from '../model/wake-channel.ts';
import type { MessageAddress } from './read-deliveries.ts';

/** A message to be sent to one endpoint at once, outside of its user's order and of any replay. */
export interface Enqueued extends MessageAddress {
  readonly endpointId: string;
  readonly userId: string | null;
  readonly eventType: string;
}

/** The result of enqueueing a message; the values of `MessageSentBody.status`. */
export type EnqueueResult = 'queued' | 'held' | 'under_way';

/**
 * Enqueues a message with a fresh schedule, or makes its waiting row due now. A message that is held behind earlier ones of its user (it
 * would overtake them) or leased by a dispatcher is not changed. A replay's row is detached from the replay, so that cancelling the replay
 * does not remove it. Returns the result.
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
