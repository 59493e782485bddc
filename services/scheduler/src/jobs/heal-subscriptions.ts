import { wakeSubscriptions } from '@pulsewire/ingest';
import type { ScheduledJob } from '../scheduled-job.ts';

/** Subscriptions that could not be made are tried again, long after their job has given up. */
export const healSubscriptionsJob: ScheduledJob = {
  name: 'heal_subscriptions',
  cron: '0 7 * * * *',
  async run({ database, plan }) {
    const subscriptions = await wakeSubscriptions({ ...plan, database });
    return subscriptions > 0 ? { subscriptions } : undefined;
  },
};
