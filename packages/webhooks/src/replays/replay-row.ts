import { AppError, isUuid } from '@pulsewire/kernel';
import { renderDateTime, type ReplayBody } from '@pulsewire/contract';
import type { Executor } from '@pulsewire/database';
import { instantMs, renderInstant } from '../model/instants.ts';

/** The columns of webhook_replays that teams may see. */
export interface ReplayRow {
  replay_id: string;
  endpoint_id: string;
  since: string;
  until: string;
  user_id: string | null;
  event_types: string[] | null;
  selection: string;
  status: string;
  total: string;
  enqueued: string;
  delivered: string;
  exhausted: string;
  error: string | null;
  created_at: string;
  ended_at: string | null;
}

export const replayColumns = `replay_id, endpoint_id, since, until, user_id, event_types, selection, status, total, enqueued, delivered, exhausted,
  error, created_at, ended_at`;

/** The replay as teams see it. */
export function toReplayBody(row: ReplayRow): ReplayBody {
  return {
    id: row.replay_id,
    webhook_id: row.endpoint_id,
    status: row.status,
    since: renderDateTime(instantMs(row.since)),
    until: renderDateTime(instantMs(row.until)),
    user_id: row.user_id,
    event_types: row.event_types,
    selection: row.selection,
    total: Number(row.total),
    enqueued: Number(row.enqueued),
    delivered: Number(row.delivered),
    exhausted: Number(row.exhausted),
    error: row.error,
    created_at: renderDateTime(instantMs(row.created_at)),
    ended_at: renderInstant(row.ended_at),
  };
}

/** A team's replay of one endpoint. Throws AppError `replay_not_found`. */
export async function findReplayRow({ sql }: Executor, teamId: string, endpointId: string, replayId: string): Promise<ReplayRow> {
  const [row] = [endpointId, replayId].every(isUuid)
    ? await sql<ReplayRow[]>`
        SELECT ${sql.unsafe(replayColumns)} FROM webhook_replays
        WHERE team_id = ${teamId} AND endpoint_id = ${endpointId} AND replay_id = ${replayId}`
    : [];
  if (row === undefined) throw new AppError({ code: 'replay_not_found', kind: 'not_found', message: 'There is no such replay' });
  return row;
}
