import { AppError, isUuid } from '@pulsewire/kernel';
import type { Database } from '@pulsewire/database';
import { enqueue } from '../messages/enqueue.ts';

interface Row {
  shard: number;
  offset: string;
  log_day: string;
  user_id: string | null;
  event_type: string | null;
}

/**
 * Resends a quarantined delivery at once, outside of its user's order. If Postgres rejects it again, it returns to the quarantine. Throws
 * AppError `quarantined_not_found`.
 */
export async function releaseQuarantined(database: Database, endpointId: string, eventId: string): Promise<void> {
  await database.transaction(async (tx) => {
    const [row] = [endpointId, eventId].every(isUuid)
      ? await tx.sql<Row[]>`
          DELETE FROM webhook_quarantine WHERE endpoint_id = ${endpointId} AND event_id = ${eventId}
          RETURNING shard, "offset", log_day, user_id, event_type`
      : [];
    if (row === undefined)
      throw new AppError({ code: 'quarantined_not_found', kind: 'not_found', message: 'There is no such quarantined delivery' });
    const { shard, log_day: day, user_id: userId, event_type: eventType } = row;
    await enqueue(tx, { endpointId, eventId, shard, offset: Number(row.offset), day, userId, eventType: eventType ?? 'unknown' });
  });
}
