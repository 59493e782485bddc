import { and, eq, isNull, lte } from 'drizzle-orm';
import { run } from '@pulsewire/database';
import { isAppError } from '@pulsewire/kernel';
import type { RecoveredBody } from '@pulsewire/contract';
import type { EndpointContext } from '../model/context.ts';
import { countReplay, createReplay } from './create-replay.ts';
import { toReplayBody } from './replay-row.ts';
import { webhookReplays } from '../model/tables.ts';

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
    const { status, selection, since: from, userId, eventTypes } = webhookReplays;
    const isSame = and(eq(status, 'running'), eq(selection, 'failed'), lte(from, since.toISOString()), isNull(userId), isNull(eventTypes));
    const [row] = await run(
      context.database.orm
        .select()
        .from(webhookReplays)
        .where(and(eq(webhookReplays.teamId, teamId), eq(webhookReplays.endpointId, endpointId), isSame)),
    );
    return row && toReplayBody(row);
  }
}
