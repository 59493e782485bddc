import { errorCode } from '@pulsewire/kernel';
import type { IngestContext } from '../context/context.ts';
import { planRefresh } from '../plan/plan-incremental.ts';
import { stopPlan } from '../plan/stop-plan.ts';
import { admitNext } from '../quota/admit-next.ts';

/** Returns unused grants and gives turns to the next connections; returns the number of turns. Call it about once a second. */
export async function maintainBudgets(context: IngestContext): Promise<number> {
  const { database, clock, budgets, settings, jobs, logger } = context;
  // A budget that cannot be written must not block turns.
  await budgets.giveBack().catch((error: unknown) => logger.error({ errorCode: errorCode(error) }, 'budgets.failed'));
  return admitNext({
    database,
    clock,
    connectorFor: context.connectorFor,
    liveShare: settings.liveShare,
    admit: (connectionId, lane) =>
      database.transaction(async (tx) => {
        const at = clock.now().toISOString();
        const [row] = await tx.sql`SELECT 1 FROM pull_plans WHERE connection_id = ${connectionId} AND next_pull_at <= ${at}`;
        // Polls that came due while it waited were deferred to now.
        if (lane === 'backfill' || !row) await jobs.wake(tx, connectionId);
        else if (!(await planRefresh(context, tx, connectionId))) await stopPlan(tx, connectionId, clock.now());
      }),
  });
}
