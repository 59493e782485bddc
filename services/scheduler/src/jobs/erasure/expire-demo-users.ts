import { expireDemoUsers } from '@pulsewire/connections';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';

const batchMax = 200;

/** Demo users are deleted after seven days. */
export const expireDemoUsersJob: ScheduledJob = {
  name: 'expire_demo_users',
  cron: '0 33 * * * *',
  async run({ database, clock }) {
    const users = await expireDemoUsers(database, { clock }, batchMax);
    return users > 0 ? { users } : undefined;
  },
};
