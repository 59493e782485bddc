import { errorCode, type Clock, type Logger } from '@pulsewire/kernel';
import { plainArray, type Database, type Executor, type Tx } from '@pulsewire/database';
import { countProcessed } from '../operations/operation.ts';
import { throttleOf } from './history-limit.ts';

export interface TurnContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Plans the connection's whole history, in the transaction of its turn. False when it cannot be pulled any more. */
  readonly startHistory: (tx: Tx, connectionId: string) => Promise<boolean>;
  /** Those of these connections whose history is not complete. */
  readonly openHistories: (executor: Executor, connectionIds: readonly string[]) => Promise<readonly string[]>;
}

interface Lane {
  readonly team_id: string;
  readonly provider: string;
}

interface Turn {
  readonly turn_id: string;
  readonly connection_id: string;
  readonly operation_id: string;
  readonly item: number | null;
}

/** A history that is not complete by then gives its place up: it may wait for a person. */
const openMaxMs = 24 * 3_600_000;

// Jumps from lane to lane: a lane may hold a hundred thousand turns.
async function waitingLanes({ sql }: Executor): Promise<readonly Lane[]> {
  return sql<Lane[]>`
    WITH RECURSIVE lanes AS (
      (SELECT team_id, provider FROM bulk_turns WHERE started_at IS NULL ORDER BY team_id, provider LIMIT 1)
      UNION ALL
      SELECT n.team_id, n.provider FROM lanes l CROSS JOIN LATERAL (
        SELECT team_id, provider FROM bulk_turns WHERE started_at IS NULL AND (team_id, provider) > (l.team_id, l.provider)
        ORDER BY team_id, provider LIMIT 1) n)
    SELECT team_id, provider FROM lanes`;
}

async function freePlaces(context: TurnContext, lane: Lane): Promise<void> {
  const { sql } = context.database;
  const now = context.clock.now();
  const open = await sql<{ connection_id: string }[]>`
    SELECT connection_id FROM bulk_turns
    WHERE team_id = ${lane.team_id} AND provider = ${lane.provider} AND started_at > ${new Date(now.getTime() - openMaxMs).toISOString()} AND finished_at IS NULL`;
  const connectionIds = open.map((row) => row.connection_id);
  const busy = new Set(await context.openHistories(context.database, connectionIds));
  const done = connectionIds.filter((connectionId) => !busy.has(connectionId));
  if (done.length === 0) return;
  await sql`
    UPDATE bulk_turns SET finished_at = ${now.toISOString()}
    WHERE team_id = ${lane.team_id} AND provider = ${lane.provider} AND started_at IS NOT NULL AND finished_at IS NULL
      AND connection_id = ANY(${plainArray(done)}::uuid[])`;
}

// One statement, so that the places and the turn are seen at the same moment: who comes second either counts the first one's turn, or
// wants the very same one and finds it taken.
async function nextTurn({ sql }: Tx, lane: Lane, now: Date): Promise<Turn | null> {
  const throttle = throttleOf(lane.provider);
  const sinceMs = now.getTime() - (throttle.kind === 'rate' ? throttle.perMs : openMaxMs);
  const [row] = await sql<Turn[]>`
    SELECT turn_id, connection_id, operation_id, item FROM bulk_turns
    WHERE team_id = ${lane.team_id} AND provider = ${lane.provider} AND started_at IS NULL AND ${throttle.turns} > (
      SELECT count(*) FROM bulk_turns
      WHERE team_id = ${lane.team_id} AND provider = ${lane.provider} AND started_at > ${new Date(sinceMs).toISOString()}
        AND (${throttle.kind === 'rate'} OR finished_at IS NULL))
    ORDER BY turn_id LIMIT 1`;
  return row ?? null;
}

/** Takes the next turn and its operation's row, in the order in which an abort takes them. Null: nothing waits, or no place is free. */
async function takeTurn(tx: Tx, lane: Lane, now: Date): Promise<Turn | null> {
  const { sql } = tx;
  for (;;) {
    const next = await nextTurn(tx, lane, now);
    if (!next) return null;
    if (next.item !== null) await sql`SELECT 1 FROM bulk_operations WHERE operation_id = ${next.operation_id} FOR UPDATE`;
    const taken = await sql`
      UPDATE bulk_turns SET started_at = ${now.toISOString()} WHERE turn_id = ${next.turn_id} AND started_at IS NULL RETURNING 1 AS one`;
    if (taken.length > 0) return next;
  }
}

async function settleTurn(tx: Tx, turn: Turn, reason: string | null, now: Date): Promise<void> {
  if (reason !== null) await tx.sql`UPDATE bulk_turns SET finished_at = started_at WHERE turn_id = ${turn.turn_id}`;
  if (turn.item === null) return;
  await tx.sql`
    UPDATE bulk_items SET outcome = ${reason === null ? 'triggered' : 'failed'}, reason = ${reason}
    WHERE operation_id = ${turn.operation_id} AND item = ${turn.item}`;
  await countProcessed(tx, turn.operation_id, 1, now);
}

async function startNext(context: TurnContext, lane: Lane): Promise<boolean> {
  const now = context.clock.now();
  let taken: Turn | null = null;
  try {
    return await context.database.transaction(async (tx) => {
      taken = await takeTurn(tx, lane, now);
      if (!taken) return false;
      const isPulled = await context.startHistory(tx, taken.connection_id);
      await settleTurn(tx, taken, isPulled ? null : 'connection_not_active', now);
      return true;
    });
  } catch (error) {
    const failed = taken as Turn | null;
    if (failed === null) throw error;
    // One that cannot be planned must not stand before the others.
    context.logger.error({ connection_id: failed.connection_id, error }, 'bulk.turn_failed');
    await context.database.transaction(async (tx) => {
      if (failed.item !== null) await tx.sql`SELECT 1 FROM bulk_operations WHERE operation_id = ${failed.operation_id} FOR UPDATE`;
      const rows = await tx.sql`
        UPDATE bulk_turns SET started_at = ${now.toISOString()} WHERE turn_id = ${failed.turn_id} AND started_at IS NULL RETURNING 1 AS one`;
      if (rows.length > 0) await settleTurn(tx, failed, errorCode(error), now);
    });
    return true;
  }
}

/**
 * Begins the historical pulls whose turn has come, each provider at its own pace. Safe beside another process that does
 * the same, and to be cut off anywhere. Gives how many began; at most `limit`.
 */
export async function startTurns(
  context: TurnContext,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): Promise<number> {
  let started = 0;
  for (const lane of await waitingLanes(context.database)) {
    if (throttleOf(lane.provider).kind === 'open') await freePlaces(context, lane);
    while (started < limit && !signal.aborted && (await startNext(context, lane))) started += 1;
  }
  return started;
}
