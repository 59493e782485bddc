import { extendDemos } from '@pulsewire/connections';
import { createFillDemo } from '@pulsewire/ingest';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';

const batchMax = 200;

export const extendDemosJob: ScheduledJob = {
  name: 'extend_demos',
  description: 'Generates the history of demo connections, and new data every two hours.',
  cron: '25 * * * * *',
  async run({ database, clock, plan }, signal) {
    const demos = await extendDemos({ database, clock, fill: createFillDemo(plan) }, { limit: batchMax, signal });
    return demos > 0 ? { demos } : undefined;
  },
};
