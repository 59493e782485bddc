import { expireEmailLinks } from '@pulsewire/connections';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';

const batchMax = 5000;

export const expireEmailLinksJob: ScheduledJob = {
  name: 'expire_email_links',
  description: 'Deletes links by e-mail that no practice has confirmed in thirty days, addresses included.',
  cron: '55 */15 * * * *',
  async run({ database, clock }) {
    const links = await expireEmailLinks(database, clock, batchMax);
    return links > 0 ? { links } : undefined;
  },
};
