import { sleep } from '@pulsewire/kernel';
import { plainArray, type Tx } from '@pulsewire/database';
import { pauseByTeam } from '../connection-status/stop.ts';
import type { BulkContext } from './operations/context.ts';

/** A running refresh ends within its own timeout, and so does this wait. */
const waitMaxMs = 18_000;
const pollMs = 100;

interface PauseOptions {
  readonly teamId: string;
  readonly provider: string;
  readonly userIds: readonly string[];
  /** Called in the same transaction, to stop the plans of pulls. */
  readonly onPaused?: (tx: Tx, connectionIds: readonly string[]) => Promise<void>;
}

async function isRefreshing({ database }: BulkContext, connectionIds: readonly string[]): Promise<boolean> {
  const rows = await database.sql`
    SELECT 1 FROM connection_tokens WHERE connection_id = ANY(${plainArray(connectionIds)}::uuid[]) AND lease_until > clock_timestamp() LIMIT 1`;
  return rows.length > 0;
}

/**
 * Stops refreshing and polling these users' connections to the provider and keeps their tokens. Skips unknown users and users without a
 * working connection. Resolves when no refresh is running, so that a following export returns tokens that stay valid. Returns how many it
 * paused.
 */
export async function pauseConnections(context: BulkContext, options: PauseOptions): Promise<number> {
  const { teamId, provider, userIds, onPaused } = options;
  const paused = await context.database.transaction(async (tx) => {
    const connectionIds = await pauseByTeam(tx, { teamId, provider, userIds }, context.clock.now());
    if (connectionIds.length > 0) await onPaused?.(tx, connectionIds);
    return connectionIds;
  });
  const endMs = context.clock.monotonicMs() + waitMaxMs;
  while (paused.length > 0 && context.clock.monotonicMs() < endMs && (await isRefreshing(context, paused))) await sleep(pollMs);
  return paused.length;
}
