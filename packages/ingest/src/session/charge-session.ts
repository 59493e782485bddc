import type { Pullable } from '../context/pullable.ts';
import type { PullSession } from './pull-session.ts';
import { applicationBudget } from '../quota/budget-of.ts';
import type { Budgets } from '../quota/budgets.ts';

/** Notes what a turn has cost its application's budget, by which later turns are given. */
export function chargeSession(budgets: Budgets, { connection, connector }: Pullable, session: Pick<PullSession, 'calls'>): void {
  const key = applicationBudget(connector, connection);
  if (!key) return;
  for (const lane of ['live', 'backfill'] as const) {
    const calls = session.calls(lane);
    if (calls > 0) budgets.turnEnded(key, lane, calls);
  }
}
