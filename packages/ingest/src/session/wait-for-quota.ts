import type { PullLane } from '@pulsewire/providers';
import type { Tx } from '@pulsewire/database';
import type { Pullable } from '../context/pullable.ts';
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
  await (lane === 'live'
    ? tx.sql`UPDATE pull_plans SET resume_at = greatest(resume_at, ${until}) WHERE connection_id = ${connectionId}`
    : tx.sql`UPDATE pull_plans SET backfill_resume_at = greatest(backfill_resume_at, ${until}) WHERE connection_id = ${connectionId}`);
}
