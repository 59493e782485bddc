import { eq, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { PullLane } from '@pulsewire/providers';
import { run, type Tx } from '@pulsewire/database';
import type { Pullable } from '../context/pullable.ts';
import { pullPlans } from '../model/tables.ts';
import { applicationBudget } from '../quota/budget-of.ts';
import { queueForQuota } from '../quota/queue-for-quota.ts';

/** Defers a lane of a connection that has no quota left: into its application's queue, or until its user's quota is free. */
export async function waitForQuota(
  tx: Tx,
  { connection, connector }: Pullable,
  lane: PullLane,
  spent: { readonly scope: 'app' | 'user'; readonly isCut: boolean; readonly delayMs: number },
  now: Date,
): Promise<void> {
  const { connectionId } = connection;
  const key = applicationBudget(connector, connection);
  if (spent.scope === 'app' && key) return queueForQuota(tx, key, connectionId, lane, now, spent.isCut);
  const until = new Date(now.getTime() + spent.delayMs).toISOString();
  const later = (at: PgColumn) => sql`greatest(${at}, ${until}::timestamptz)`;
  const { resumeAt, backfillResumeAt } = pullPlans;
  const changes = lane === 'live' ? { resumeAt: later(resumeAt) } : { backfillResumeAt: later(backfillResumeAt) };
  await run(tx.orm.update(pullPlans).set(changes).where(eq(pullPlans.connectionId, connectionId)));
}
