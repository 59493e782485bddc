import { and, eq, lte } from 'drizzle-orm';
import { run } from '@pulsewire/database';
import { errorCode } from '@pulsewire/kernel';
import type { IngestContext } from '../context/context.ts';
import { pullPlans } from '../model/tables.ts';
import { planPoll } from '../plan/plan-poll.ts';
import { stopSchedule } from '../connection-schedule/stop-schedule.ts';
import { admitNext } from '../quota/admit-next.ts';

/** Returns unused grants and assigns turns to the next connections; returns the number of turns. Call it about once a second. */
export async function maintainBudgets(context: IngestContext): Promise<number> {
  const { database, clock, budgets, settings, jobs, logger } = context;
  // A budget that cannot be written must not block turns.
  await budgets.returnUnused().catch((error: unknown) => logger.error({ errorCode: errorCode(error) }, 'budgets.return_failed'));
  return admitNext({
    database,
    clock,
    connectorFor: context.connectorFor,
    liveShare: settings.liveShare,
    admit: (connectionId, lane) =>
      database.transaction(async (tx) => {
        const isDue = and(eq(pullPlans.connectionId, connectionId), lte(pullPlans.nextPullAt, clock.now().toISOString()));
        const [row] = await run(tx.orm.select({ nextPullAt: pullPlans.nextPullAt }).from(pullPlans).where(isDue));
        // Polls that came due while it waited were deferred to now.
        if (lane === 'backfill' || !row) await jobs.wake(tx, connectionId);
        else if (!(await planPoll(context, tx, connectionId))) await stopSchedule(tx, connectionId, clock.now());
      }),
  });
}
