import { and, eq, gt, isNull, lt, lte, or, sql as fragment } from 'drizzle-orm';
import { isLeaseFree, plainArray, run, textArray, type Database, type Executor, type Tx } from '@pulsewire/database';
import type { Clock } from '@pulsewire/kernel';
import type { Jobs } from '../jobs/jobs.ts';
import { pullPlans } from '../model/tables.ts';

/** Sets when the connection is polled next, ISO 8601. */
export async function setNextPull({ orm }: Executor, connectionId: string, nextPullAt: string): Promise<void> {
  await run(orm.update(pullPlans).set({ nextPullAt }).where(eq(pullPlans.connectionId, connectionId)));
}

/** A connection whose poll is due, locked until the transaction ends. */
export interface DuePoll {
  readonly connectionId: string;
  /** When the last notification for it arrived; null: none has. */
  readonly noticedAt: string | null;
  /** A worker reads it at this moment. */
  readonly isLeased: boolean;
}

/** Locks the connections whose poll is due, longest first, but for those that wait for quota or that another scheduler has locked. */
export async function lockDuePolls({ sql }: Tx, dueBy: string, limit: number): Promise<readonly DuePoll[]> {
  const rows = await sql<{ connection_id: string; noticed_at: string | null; is_free: boolean }[]>`
    SELECT connection_id, noticed_at, ${isLeaseFree(sql, 'lease_until')} AS is_free FROM pull_plans
    WHERE stopped_at IS NULL AND waits_for IS DISTINCT FROM 'live' AND next_pull_at <= ${dueBy}
    ORDER BY next_pull_at LIMIT ${limit} FOR UPDATE SKIP LOCKED`;
  return rows.map((row) => ({ connectionId: row.connection_id, noticedAt: row.noticed_at, isLeased: !row.is_free }));
}

/** Locks one connection if its poll is still due and nobody else has locked it. */
export async function lockDuePoll({ sql }: Tx, connectionId: string, dueBy: string): Promise<boolean> {
  const [row] = await sql`
    SELECT 1 FROM pull_plans WHERE connection_id = ${connectionId} AND stopped_at IS NULL AND next_pull_at <= ${dueBy} FOR UPDATE SKIP LOCKED`;
  return row !== undefined;
}

/** Records for connections that were polled when the next poll is due (ISO 8601), and that there is work. The caller holds their rows. */
export async function recordPolls(
  { sql }: Tx,
  polls: readonly { readonly connectionId: string; readonly nextPullAt: string }[],
  now: Date,
): Promise<void> {
  const at = now.toISOString();
  await sql`
    UPDATE pull_plans p SET next_pull_at = n.next_pull_at, next_tick_at = least(p.next_tick_at, ${at}::timestamptz)
    FROM unnest(${plainArray(polls.map(({ connectionId }) => connectionId))}::uuid[], ${textArray(polls.map((poll) => poll.nextPullAt))}::timestamptz[])
      AS n(connection_id, next_pull_at)
    WHERE p.connection_id = n.connection_id`;
}

/** Defers a poll that is still due at `dueBy`; one that was planned meanwhile stays. All ISO 8601. */
export async function deferDuePull({ orm }: Executor, connectionId: string, dueBy: string, nextPullAt: string): Promise<void> {
  const isStillDue = and(eq(pullPlans.connectionId, connectionId), lte(pullPlans.nextPullAt, dueBy));
  await run(orm.update(pullPlans).set({ nextPullAt }).where(isStillDue));
}

/** Makes polls that are planned more than three days ahead due now. Returns how many. */
export async function pullNowIfFarAhead({ orm }: Database, now: Date): Promise<number> {
  const at = now.toISOString();
  const { stoppedAt, nextPullAt, nextTickAt } = pullPlans;
  const isTooFar = gt(nextPullAt, fragment`${at}::timestamptz + interval '3 days'`);
  const moved = await run(
    orm
      .update(pullPlans)
      .set({ nextPullAt: at, nextTickAt: fragment`least(${nextTickAt}, ${at}::timestamptz)` })
      .where(and(isNull(stoppedAt), isTooFar)),
  );
  return moved.count;
}

/** Sets when the account is read next, ISO 8601. */
export async function setAccountDue({ orm }: Executor, connectionId: string, accountDueAt: string): Promise<void> {
  await run(orm.update(pullPlans).set({ accountDueAt }).where(eq(pullPlans.connectionId, connectionId)));
}

/** Records that notifications for this connection arrive. To the hour: a busy device must not cost a write for each of them. */
export async function recordArrival({ orm }: Tx, connectionId: string, now: Date): Promise<void> {
  const { connectionId: id, noticedAt } = pullPlans;
  const hourAgo = new Date(now.getTime() - 3_600_000).toISOString();
  const isStale = and(eq(id, connectionId), or(isNull(noticedAt), lt(noticedAt, hourAgo)));
  await run(orm.update(pullPlans).set({ noticedAt: now.toISOString() }).where(isStale));
}

/** Pauses all runs of this connection, or only its history, for this long; a longer pause stays. */
export async function pauseSchedule({ orm }: Tx, connectionId: string, part: 'all' | 'history', delayMs: number, now: Date): Promise<void> {
  const until = new Date(now.getTime() + delayMs).toISOString();
  const { resumeAt, backfillResumeAt } = pullPlans;
  const later = (at: typeof resumeAt | typeof backfillResumeAt) => fragment`greatest(${at}, ${until}::timestamptz)`;
  const changes = part === 'all' ? { resumeAt: later(resumeAt) } : { backfillResumeAt: later(backfillResumeAt) };
  await run(orm.update(pullPlans).set(changes).where(eq(pullPlans.connectionId, connectionId)));
}

/** Lets the history of this connection wait until then, whatever it waited for before. */
export async function setHistoryResume({ orm }: Executor, connectionId: string, until: Date): Promise<void> {
  const backfillResumeAt = until.toISOString();
  await run(orm.update(pullPlans).set({ backfillResumeAt }).where(eq(pullPlans.connectionId, connectionId)));
}

/**
 * Records when this connection has work again and requests a run at that time, in the transaction that ends a lease. A connection that
 * waits for quota is woken when its turn comes. `servedAt`: when its live data was read; null: it was not read.
 */
export async function scheduleNext(
  context: { readonly clock: Clock; readonly jobs: Pick<Jobs, 'wake' | 'wakeLater'> },
  tx: Tx,
  connectionId: string,
  servedAt: Date | null,
): Promise<void> {
  const now = context.clock.now();
  const [row] = await tx.sql<{ next_at: string | null }[]>`
    UPDATE pull_plans p SET turn_at = NULL, served_at = CASE WHEN p.waits_for = 'live' THEN p.served_at ELSE coalesce(${servedAt?.toISOString() ?? null}::timestamptz, p.served_at) END,
    next_tick_at = CASE WHEN p.stopped_at IS NULL AND p.waits_for IS DISTINCT FROM 'live' THEN (
      SELECT min(greatest(w.due_at, p.resume_at, CASE WHEN w.lane = 'backfill' THEN p.backfill_resume_at END))
      FROM pull_windows w WHERE w.connection_id = p.connection_id AND w.state IN ('planned', 'failed')
        AND (w.lane = 'live' OR p.waits_for IS NULL OR w.accepted_at >= coalesce(p.linked_at, p.created_at))
    ) END
    WHERE p.connection_id = ${connectionId} RETURNING p.next_tick_at AS next_at`;
  if (!row?.next_at) return;
  const delayMs = Date.parse(row.next_at) - now.getTime();
  if (delayMs <= 0) await context.jobs.wake(tx, connectionId);
  else await context.jobs.wakeLater(tx, connectionId, delayMs);
}
