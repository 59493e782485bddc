import { and, eq } from 'drizzle-orm';
import { AppError, isUuid } from '@pulsewire/kernel';
import { run, type Database } from '@pulsewire/database';
import { enqueue } from '../messages/enqueue.ts';
import { webhookQuarantine } from '../model/tables.ts';

/**
 * Resends a quarantined delivery at once, outside of its user's order. If Postgres rejects it again, it returns to the quarantine. Throws
 * AppError `quarantined_not_found`.
 */
export async function releaseQuarantined(database: Database, endpointId: string, eventId: string): Promise<void> {
  await database.transaction(async (tx) => {
    const [row] = [endpointId, eventId].every(isUuid)
      ? await run(
          tx.orm
            .delete(webhookQuarantine)
            .where(and(eq(webhookQuarantine.endpointId, endpointId), eq(webhookQuarantine.eventId, eventId)))
            .returning(),
        )
      : [];
    if (row === undefined)
      throw new AppError({ code: 'quarantined_not_found', kind: 'not_found', message: 'There is no such quarantined delivery' });
    const { shard, logDay: day, userId, eventType } = row;
    await enqueue(tx, { endpointId, eventId, shard, offset: Number(row.offset), day, userId, eventType: eventType ?? 'unknown' });
  });
}
