import { and, eq } from 'drizzle-orm';
import type { ReplayBody } from '@pulsewire/contract';
import { run } from '@pulsewire/database';
import type { EndpointContext } from '../model/context.ts';
import { webhookReplays } from '../model/tables.ts';
import { webhookChannel } from '../model/wake-channel.ts';
import { findReplayRow, toReplayBody } from './replay-row.ts';

/**
 * Cancels a replay and removes its rows, except those being sent. A replay that has ended stays unchanged, so cancelling is idempotent.
 * Throws AppError `replay_not_found`.
 */
export async function cancelReplay(
  { database, clock }: EndpointContext,
  teamId: string,
  endpointId: string,
  replayId: string,
): Promise<ReplayBody> {
  return database.transaction(async (tx) => {
    await findReplayRow(tx, teamId, endpointId, replayId);
    const ended = await run(
      tx.orm
        .update(webhookReplays)
        .set({ status: 'cancelled', endedAt: clock.now().toISOString() })
        .where(and(eq(webhookReplays.replayId, replayId), eq(webhookReplays.status, 'running'))),
    );
    if (ended.count > 0) await tx.sql`SELECT pg_notify(${webhookChannel}, 'replays')`;
    return toReplayBody(await findReplayRow(tx, teamId, endpointId, replayId));
  });
}
