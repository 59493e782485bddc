import type { ReplayBody } from '@pulsewire/contract';
import type { EndpointContext } from '../model/context.ts';
import { webhookChannel } from '../model/wake-channel.ts';
import { findReplayRow, toReplayBody } from './replay-row.ts';

/**
 * Ends a replay: what it has put on its way and is not being sent this moment is taken back. One that has ended stays as it is, so
 * that it may be asked for again. Throws AppError `replay_not_found`.
 */
export async function cancelReplay(
  { database, clock }: EndpointContext,
  teamId: string,
  endpointId: string,
  replayId: string,
): Promise<ReplayBody> {
  return database.transaction(async (tx) => {
    await findReplayRow(tx, teamId, endpointId, replayId);
    const ended = await tx.sql`
      UPDATE webhook_replays SET status = 'cancelled', ended_at = ${clock.now().toISOString()}
      WHERE replay_id = ${replayId} AND status = 'running'`;
    if (ended.count > 0) await tx.sql`SELECT pg_notify(${webhookChannel}, 'replays')`;
    return toReplayBody(await findReplayRow(tx, teamId, endpointId, replayId));
  });
}
