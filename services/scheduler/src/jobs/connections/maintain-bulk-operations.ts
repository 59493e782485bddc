import { maintainBulkOperations } from '@pulsewire/connections';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';

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
