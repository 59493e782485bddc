import { expireHeldNotices, oldestDueMs } from '@pulsewire/labs';
import type { ScheduledJob } from '../schedule/scheduled-job.ts';

export const expireHeldNoticesJob: ScheduledJob = {
  name: 'expire_held_notices',
  description: 'Deletes notices of labs that the operator has not decided on for 180 days.',
  cron: '25 17 3 * * *',
  async run({ database, clock, logger }) {
    const notices = await expireHeldNotices(database, clock);
    if (notices === 0) return undefined;
    logger.warn({ notices }, 'held_notices.expired');
    return { notices };
  },
};

const overdueMs = 5 * 60_000;

export const watchLabCallsJob: ScheduledJob = {
  name: 'watch_lab_calls',
  description:
    'Measures how long calls to lab partners are due (`lab_partner_jobs_oldest_due_seconds`) and warns after five minutes: no `labs` process runs, or too few.',
  cron: '45 * * * * *',
  async run({ database, logger, custody: { metrics } }) {
    const waitedMs = await oldestDueMs(database);
    metrics.gauge('lab_partner_jobs_oldest_due_seconds', waitedMs / 1000);
    if (waitedMs >= overdueMs) logger.warn({ waitedMs, remedy: 'Run the process `labs`' }, 'lab_calls.overdue');
    return undefined;
  },
};
