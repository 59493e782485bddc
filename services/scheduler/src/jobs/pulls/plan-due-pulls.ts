import { planDuePulls } from '@pulsewire/ingest';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';

const batchMax = 500;

export const planDuePullsJob: ScheduledJob = {
  name: 'plan_due_pulls',
  description: 'Turns polls that are due into windows and ticks.',
  cron: '*/15 * * * * *',
  // Work that became due while no scheduler ran must not wait for the first scheduled run.
  atStart: true,
  async run({ database, plan, logger }, signal) {
    let connections = 0;
    let count = batchMax;
    while (count === batchMax && !signal.aborted) {
      count = await planDuePulls({ ...plan, database, logger }, batchMax);
      connections += count;
    }
    return connections > 0 ? { connections } : undefined;
  },
};
