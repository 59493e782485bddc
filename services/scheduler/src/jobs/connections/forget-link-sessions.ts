import { forgetLinkSessions } from '@pulsewire/connections';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';

const batchMax = 5000;

export const forgetLinkSessionsJob: ScheduledJob = {
  name: 'forget_link_sessions',
  description: 'Deletes the secrets of expired link sessions, and the sessions themselves a week later.',
  cron: '50 */5 * * * *',
  async run({ database, clock }) {
    const sessions = await forgetLinkSessions(database, clock, batchMax);
    return sessions > 0 ? { sessions } : undefined;
  },
};
