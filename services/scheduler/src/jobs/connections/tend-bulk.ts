import { tendBulk } from '@pulsewire/connections';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';

/** Imports whose worker was killed are asked for again; uploads that were cut off are swept. */
export const tendBulkJob: ScheduledJob = {
  name: 'tend_bulk',
  cron: '*/15 * * * * *',
  atStart: true,
  async run({ database, plan }) {
    const { woken, swept } = await tendBulk({ database, requestWork: (tx, operationId) => plan.jobs.workBulk(tx, operationId) });
    return woken + swept > 0 ? { woken, swept } : undefined;
  },
};
