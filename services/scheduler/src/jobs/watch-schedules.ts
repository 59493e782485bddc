import { findLongSchedules } from '@pulsewire/webhooks';
import type { ScheduledJob } from '../schedule/scheduled-job.ts';

/** Warns of endpoints whose retries may outlast the log as it is kept now. What waits keeps its events whatever the schedule; this is for whoever set the days. */
export const watchSchedulesJob: ScheduledJob = {
  name: 'watch_schedules',
  cron: '0 17 4 * * *',
  atStart: true,
  async run({ database, logger, retention: { logDays } }) {
    const endpoints = await findLongSchedules(database, logDays);
    for (const { endpointId, teamId, days } of endpoints)
      logger.warn({ endpointId, teamId, scheduleDays: days, keepDays: logDays }, 'endpoint.schedule_exceeds_retention');
    return undefined;
  },
};
