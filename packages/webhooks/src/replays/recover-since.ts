import { isAppError } from '@pulsewire/kernel';
import type { RecoveredBody } from '@pulsewire/contract';
import type { EndpointContext } from '../model/context.ts';
import { countReplay, createReplay } from './create-replay.ts';
import { replayColumns, toReplayBody, type ReplayRow } from './replay-row.ts';

/**
 * Starts a replay of the messages that failed at an endpoint since a time. If such a replay is already running, returns that one. Throws
 * AppErrors `endpoint_not_found`, `endpoint_disabled`, `replay_since_invalid`, `replay_range_invalid`, `replay_running` (of another kind of
 * replay).
 */
export async function recoverSince(context: EndpointContext, teamId: string, endpointId: string, since: Date): Promise<RecoveredBody> {
  const request = { since, until: null, userId: null, eventTypes: null, selection: 'failed' } as const;
  const { messages } = await countReplay(context, teamId, endpointId, request);
  const replay = await createReplay(context, teamId, endpointId, request).catch(async (error: unknown) => {
    const running = isAppError(error) && error.code === 'replay_running' ? await findSame() : undefined;
    if (running === undefined) throw error;
    return running;
  });
  return { messages, replay_id: replay.id };

  async function findSame() {
    const { sql } = context.database;
    const [row] = await sql<ReplayRow[]>`
      SELECT ${sql.unsafe(replayColumns)} FROM webhook_replays
      WHERE team_id = ${teamId} AND endpoint_id = ${endpointId} AND status = 'running' AND selection = 'failed'
        AND since <= ${since.toISOString()} AND user_id IS NULL AND event_types IS NULL`;
    return row && toReplayBody(row);
  }
}
