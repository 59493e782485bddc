import { expireHeldNotices } from '@pulsewire/labs';
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
