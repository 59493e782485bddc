import { wakeAppSubscriptions, wakeSubscriptions } from '@pulsewire/ingest';
import { eachOf } from '../../schedule/each-of.ts';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';

export const healSubscriptionsJob: ScheduledJob = {
  name: 'heal_subscriptions',
  description: 'Renews subscriptions of applications before they end, and retries subscriptions of users that could not be made.',
  cron: '0 7 * * * *',
  async run({ database, plan }) {
    const [subscriptions = 0, applications = 0] = await eachOf([
      () => wakeSubscriptions({ ...plan, database }),
      () => wakeAppSubscriptions({ ...plan, database }),
    ]);
    return subscriptions + applications > 0 ? { subscriptions, applications } : undefined;
  },
};
