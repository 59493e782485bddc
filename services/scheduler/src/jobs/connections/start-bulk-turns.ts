import { startTurns } from '@pulsewire/connections';
import { openHistories, planHistoricalPull } from '@pulsewire/ingest';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';

const turnsMax = 500;

/** Historical pulls of bulk operations begin at the pace of their provider. */
export const startBulkTurnsJob: ScheduledJob = {
  name: 'start_bulk_turns',
  cron: '*/3 * * * * *',
  atStart: true,
  async run({ database, clock, logger, plan }, signal) {
    const context = {
      database,
      clock,
      logger,
      openHistories,
      startHistory: async (tx: Parameters<typeof planHistoricalPull>[1], connectionId: string) => {
        const isPulled = await planHistoricalPull(plan, tx, connectionId);
        // Imported connections have no subscription yet; for the others this is a repeat that finds it.
        if (isPulled) await plan.jobs.subscribe(tx, connectionId);
        return isPulled;
      },
    };
    const started = await startTurns(context, { limit: turnsMax, signal });
    return started > 0 ? { started } : undefined;
  },
};
