import { findLongSchedules } from '@pulsewire/webhooks';
import type { ScheduledJob } from '../schedule/scheduled-job.ts';

export const watchSchedulesJob: ScheduledJob = {
  name: 'watch_schedules',
  description:
    'Warns about endpoints whose retry schedule may outlast the log (`endpoint.schedule_exceeds_retention`), for example after the retention was shortened.',
  cron: '0 17 4 * * *',
  atStart: true,
  async run({ database, logger, retention: { logDays } }) {
    const endpoints = await findLongSchedules(database, logDays);
    for (const { endpointId, teamId, days } of endpoints)
      logger.warn({ endpointId, teamId, scheduleDays: days, keepDays: logDays }, 'endpoint.schedule_exceeds_retention');
    return undefined;
  },
};
