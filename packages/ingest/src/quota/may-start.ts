import type { Executor } from '@pulsewire/database';
import type { PullConnection } from '@pulsewire/connections';
import type { Connector, PullLane } from '@pulsewire/providers';
import { joinQueue } from '../connection-schedule/quota-queue.ts';
import { applicationBudget } from './budget-of.ts';
import { turnMaxMs } from './budget-row.ts';

/** The parts of a connection that decide its place in the queue. */
export interface QuotaRequester {
  readonly connector: Pick<Connector, 'slug' | 'quotas'>;
  readonly connection: Pick<PullConnection, 'connectionId' | 'application' | 'teamId'>;
}

/**
 * Whether a run may begin. Without a turn it may not while others wait for the same budget, or have a turn that has not ended: then the
 * connection is queued, so that none overtakes those with older data. More turns may be assigned than the quota covers, so a connection
 * that started beside them could be served each time while they are interrupted. Windows whose request was accepted make no call and need no
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
  if (mustWait) await joinQueue(database, connectionId, { owner: key.owner, lane, isInterrupted: false, now });
  return !mustWait;
}
