import { forgetLinkSessions } from '@pulsewire/connections';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';

const batchMax = 5000;

/** Secrets of link sessions go when their time is over, the sessions a week later. */
export const forgetLinkSessionsJob: ScheduledJob = {
  name: 'forget_link_sessions',
  cron: '50 */5 * * * *',
  async run({ database, clock }) {
    const sessions = await forgetLinkSessions(database, clock, batchMax);
    return sessions > 0 ? { sessions } : undefined;
  },
};
