import { maintainBulkOperations, startQueuedHistory } from '@pulsewire/connections';
import { openHistories, planHistoricalPull } from '@pulsewire/ingest';
import type { ScheduledJob } from '../schedule/scheduled-job.ts';

export const maintainBulkOperationsJob: ScheduledJob = {
  name: 'maintain_bulk_operations',
  description: 'Restarts imports whose worker was killed, and deletes incomplete uploads.',
  cron: '*/15 * * * * *',
  atStart: true,
  async run({ database, plan }) {
    const { woken, swept } = await maintainBulkOperations({
      database,
      requestWork: (tx, operationId) => plan.jobs.workBulk(tx, operationId),
    });
    return woken + swept > 0 ? { woken, swept } : undefined;
  },
};

const pullsMax = 500;

export const startQueuedHistoryJob: ScheduledJob = {
  name: 'start_queued_history',
  description: 'Starts historical pulls of bulk operations as fast as each provider allows.',
  cron: '*/3 * * * * *',
  atStart: true,
  async run({ database, clock, logger, plan }, signal) {
    const context = {
      database,
      clock,
      logger,
      connectorFor: plan.connectorFor,
      openHistories,
      startHistory: async (tx: Parameters<typeof planHistoricalPull>[1], connectionId: string) => {
        const isPulled = await planHistoricalPull(plan, tx, connectionId);
        // Imported connections have no subscription yet; for the others this is a repeat that finds the existing one.
        if (isPulled) await plan.jobs.subscribe(tx, connectionId);
        return isPulled;
      },
    };
    const started = await startQueuedHistory(context, { limit: pullsMax, signal });
    return started > 0 ? { started } : undefined;
  },
};
