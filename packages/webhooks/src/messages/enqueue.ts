import type { Executor } from '@pulsewire/database';
import { webhookChannel } from '../engine/wake-channel.ts';
import type { MessageAddress } from './read-deliveries.ts';

/** A message for one endpoint, to be sent at once, before its order and beside every replay. */
export interface Enqueued extends MessageAddress {
  readonly endpointId: string;
  readonly userId: string | null;
  readonly eventType: string;
}

/** Puts a message on its way with a schedule of its own; one that waits already gets its turn now. */
export async function enqueue({ sql }: Executor, one: Enqueued): Promise<void> {
  await sql`
    INSERT INTO webhook_pending (endpoint_id, event_id, shard, "offset", log_day, attempts, due_at, user_id, event_type)
    VALUES (${one.endpointId}, ${one.eventId}, ${one.shard}, ${one.offset}, ${one.day}, 0, now(), ${one.userId}, ${one.eventType})
    ON CONFLICT (endpoint_id, event_id) DO UPDATE SET due_at = now()
    WHERE webhook_pending.lease_owner IS NULL AND webhook_pending.due_at < 'infinity'`;
  await sql`SELECT pg_notify(${webhookChannel}, ${one.endpointId})`;
}
