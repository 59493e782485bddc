import { and, eq } from 'drizzle-orm';
import { AppError, isUuid } from '@pulsewire/kernel';
import { renderDateTime, type ReplayBody } from '@pulsewire/contract';
import { run, type Executor } from '@pulsewire/database';
import { instantMs, renderInstant } from '../model/time/instants.ts';
import { webhookReplays } from '../model/tables.ts';

type ReplayRow = typeof webhookReplays.$inferSelect;

/** The replay as teams see it. */
export function toReplayBody(row: ReplayRow): ReplayBody {
  return {
    id: row.replayId,
    webhook_id: row.endpointId,
    status: row.status,
    since: renderDateTime(instantMs(row.since)),
    until: renderDateTime(instantMs(row.until)),
    user_id: row.userId,
    event_types: row.eventTypes,
    selection: row.selection,
    total: Number(row.total),
    enqueued: Number(row.enqueued),
    delivered: Number(row.delivered),
    exhausted: Number(row.exhausted),
    error: row.error,
    created_at: renderDateTime(instantMs(row.createdAt)),
    ended_at: renderInstant(row.endedAt),
  };
}

/** A team's replay of one endpoint. Throws AppError `replay_not_found`. */
export async function findReplayRow({ orm }: Executor, teamId: string, endpointId: string, replayId: string): Promise<ReplayRow> {
  const [row] = [endpointId, replayId].every(isUuid)
    ? await run(
        orm
          .select()
          .from(webhookReplays)
          .where(and(eq(webhookReplays.teamId, teamId), eq(webhookReplays.endpointId, endpointId), eq(webhookReplays.replayId, replayId))),
      )
    : [];
  if (row === undefined) throw new AppError({ code: 'replay_not_found', kind: 'not_found', message: 'There is no such replay' });
  return row;
}
