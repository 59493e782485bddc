import { expireDemoUsers } from '@pulsewire/connections';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';

const batchMax = 200;

export const expireDemoUsersJob: ScheduledJob = {
  name: 'expire_demo_users',
  description: 'Deletes demo users after seven days.',
  cron: '0 33 * * * *',
  async run({ database, clock }) {
    const users = await expireDemoUsers(database, { clock }, batchMax);
    return users > 0 ? { users } : undefined;
  },
};
