import type { Executor } from '@pulsewire/database';
import type { PullConnection } from '@pulsewire/connections';
import type { Connector, PullLane } from '@pulsewire/providers';
import { applicationBudget } from './budget-of.ts';
import { turnMaxMs } from './budget-row.ts';
import type { BudgetKey } from './budget-state.ts';

const cutsMax = 3;

/** The parts of a connection that decide its place in the queue. */
export interface QuotaRequester {
  readonly connector: Pick<Connector, 'slug' | 'quotas'>;
  readonly connection: Pick<PullConnection, 'connectionId' | 'application' | 'teamId'>;
}

/**
 * Puts a connection into the queue of its application's budget: as a whole, or only its history. The one served longest ago is first. A
 * connection that waits already stays in place, and so does one whose turn was cut short, but only a few times: a connection that needs
 * more than the quota must not block the others. `isCut`: the turn had begun to make calls.
 */
export async function queueForQuota(
  { sql }: Executor,
  key: BudgetKey,
  connectionId: string,
  lane: PullLane,
  now: Date,
  isCut = false,
): Promise<void> {
  const at = now.toISOString();
  await sql`
    UPDATE pull_plans SET waits_for = ${lane}, waits_owner = ${key.owner}, turn_at = NULL,
      turns_cut = CASE WHEN ${lane} = 'live' AND turns_cut < ${cutsMax} THEN turns_cut + ${isCut ? 1 : 0} ELSE 0 END,
      queue_at = CASE WHEN ${lane} = 'live' AND turns_cut < ${cutsMax} THEN coalesce(served_at, '-infinity') WHEN waits_for = 'backfill' THEN queue_at ELSE ${at}::timestamptz END
    WHERE connection_id = ${connectionId}`;
}

/**
 * Whether a run may begin. Without a turn it may not while others wait for the same budget, or have a turn that has not ended: then the
 * connection is queued, so that none overtakes those with older data. More turns may be assigned than the quota covers, so a connection
 * that started beside them could be served each time while they are cut short. Windows whose request was accepted make no call and need no
 * turn; paused connections block no others.
 */
export async function mayStart(database: Executor, { connector, connection }: QuotaRequester, now: Date): Promise<boolean> {
  const key = applicationBudget(connector, connection);
  if (!key) return true;
  const { sql } = database;
  const { connectionId } = connection;
  const at = now.toISOString();
  const turnsSince = new Date(now.getTime() - turnMaxMs).toISOString();
  const waiters = (lane: PullLane) => sql`
    (EXISTS (SELECT 1 FROM pull_plans q WHERE q.provider = ${key.provider} AND q.waits_owner = ${key.owner} AND q.waits_for = ${lane}
      AND q.stopped_at IS NULL AND q.connection_id <> p.connection_id AND (q.resume_at IS NULL OR q.resume_at <= ${at}))
    OR EXISTS (SELECT 1 FROM pull_plans q WHERE q.provider = ${key.provider} AND q.waits_owner = ${key.owner} AND q.turn_lane = ${lane}
      AND q.turn_at > ${turnsSince} AND q.connection_id <> p.connection_id))`;
  const due = (lane: PullLane) => sql`
    EXISTS (SELECT 1 FROM pull_windows w WHERE w.connection_id = p.connection_id AND w.lane = ${lane} AND w.state IN ('planned', 'failed') AND w.due_at <= ${at}
      AND (w.accepted_at IS NULL OR w.accepted_at < coalesce(p.linked_at, p.created_at)))`;
  const [row] = await sql<{ is_live_due: boolean; is_live_waiting: boolean; is_backfill_due: boolean; is_backfill_waiting: boolean }[]>`
    SELECT p.account_due_at <= ${at} OR ${due('live')} AS is_live_due, ${waiters('live')} AS is_live_waiting,
      p.waits_for IS NULL AND ${due('backfill')} AS is_backfill_due, ${waiters('backfill')} AS is_backfill_waiting
    FROM pull_plans p WHERE p.connection_id = ${connectionId} AND p.turn_at IS NULL`;
  // No row: the connection has its turn.
  if (!row) return true;
  const lane = row.is_live_due ? 'live' : 'backfill';
  const mustWait = row.is_live_due ? row.is_live_waiting : row.is_backfill_due && (row.is_live_waiting || row.is_backfill_waiting);
  if (mustWait) await queueForQuota(database, key, connectionId, lane, now);
  return !mustWait;
}
