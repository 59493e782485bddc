import { and, eq } from 'drizzle-orm';
import { AppError, uuidv7 } from '@pulsewire/kernel';
import type { ReplayBody, ReplayCountBody } from '@pulsewire/contract';
import { run } from '@pulsewire/database';
import type { EndpointContext } from '../model/context.ts';
import { findEnabledRow, findEndpointRow } from '../model/endpoint-row.ts';
import { webhookReplays } from '../model/tables.ts';
import { webhookChannel } from '../model/wake-channel.ts';
import { countMatching } from './count-matching.ts';
import { checkRequest, readLogTime, type ReplayRequest } from './replay-request.ts';
import { toReplayBody } from './replay-row.ts';

/**
 * Starts to send a range of a team's events to one endpoint. Dispatchers run it at a lower priority than live deliveries. An endpoint has
 * one running replay at a time. Throws AppErrors `endpoint_not_found`, `endpoint_disabled`, those of `checkRequest`, `replay_running`
 * (conflict).
 */
export async function createReplay(
  { database, clock }: EndpointContext,
  teamId: string,
  endpointId: string,
  request: ReplayRequest,
): Promise<ReplayBody> {
  const now = clock.now();
  const { since, until, userId, eventTypes, selection } = checkRequest(request, await readLogTime(database));
  return database.transaction(async (tx) => {
    // The lock prevents concurrent requests from creating two replays.
    await findEnabledRow(tx, teamId, endpointId, 'for_update');
    const isRunning = and(
      eq(webhookReplays.teamId, teamId),
      eq(webhookReplays.endpointId, endpointId),
      eq(webhookReplays.status, 'running'),
    );
    const running = await run(tx.orm.select({ replayId: webhookReplays.replayId }).from(webhookReplays).where(isRunning).limit(1));
    if (running.length > 0)
      throw new AppError({
        code: 'replay_running',
        kind: 'conflict',
        message: 'A replay of this endpoint is already running; cancel it or wait until it ends',
      });
    const values = {
      replayId: uuidv7(now.getTime()),
      teamId,
      endpointId,
      since: since.toISOString(),
      until: until.toISOString(),
      userId,
      eventTypes: eventTypes && [...eventTypes],
      selection,
      createdAt: now.toISOString(),
    };
    const [row] = await run(tx.orm.insert(webhookReplays).values(values).returning());
    await tx.sql`SELECT pg_notify(${webhookChannel}, 'replays')`;
    return toReplayBody(row as NonNullable<typeof row>);
  });
}

/** Counts the messages that a replay would send now (dry run). Throws as `createReplay` does; the endpoint may be disabled. */
export async function countReplay(
  { database }: EndpointContext,
  teamId: string,
  endpointId: string,
  request: ReplayRequest,
): Promise<ReplayCountBody> {
  const checked = checkRequest(request, await readLogTime(database));
  return countMatching(database, await findEndpointRow(database, teamId, endpointId), checked);
}
