import { watchEndpoints } from '@pulsewire/webhooks';
import type { ScheduledJob } from '../schedule/scheduled-job.ts';

export const watchEndpointsJob: ScheduledJob = {
  name: 'watch_endpoints',
  description: 'Warns about webhook endpoints whose deliveries all fail, and disables them after five days.',
  cron: '50 */5 * * * *',
  async run({ database, clock }, signal) {
    const seen = await watchEndpoints({ database, clock }, signal);
    return Object.values(seen).some((endpoints) => endpoints > 0) ? seen : undefined;
  },
};
