import type { Executor } from '@pulsewire/database';
import { webhookChannel } from '../engine/wake-channel.ts';
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
 * earlier ones of its user, which it would overtake, nor one that a dispatcher works on. Gives what became of it.
 */
export async function enqueue({ sql }: Executor, one: Enqueued): Promise<EnqueueResult> {
  const put = await sql`
    INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at, user_id, event_type)
    VALUES (${one.endpointId}, ${one.eventId}, ${one.shard}, ${one.offset}, ${one.day}, 0, now(), ${one.userId}, ${one.eventType})
    ON CONFLICT (endpoint_id, event_id) DO UPDATE SET due_at = now()
    WHERE (webhook_pending.lease_until IS NULL OR webhook_pending.lease_until < now()) AND webhook_pending.due_at < 'infinity'`;
  if (put.count === 0) {
    const [row] = await sql<{ is_held: boolean }[]>`
      SELECT due_at = 'infinity' AS is_held FROM webhook_pending WHERE endpoint_id = ${one.endpointId} AND event_id = ${one.eventId}`;
    // A row that has gone meanwhile has just been sent.
    return row?.is_held === true ? 'held' : 'under_way';
  }
  await sql`SELECT pg_notify(${webhookChannel}, ${one.endpointId})`;
  return 'queued';
}
