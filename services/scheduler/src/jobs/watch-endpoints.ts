import { watchEndpoints } from '@pulsewire/webhooks';
import type { ScheduledJob } from '../schedule/scheduled-job.ts';

/** Webhook endpoints that only fail are warned of, and disabled after five days. */
export const watchEndpointsJob: ScheduledJob = {
  name: 'watch_endpoints',
  cron: '50 */5 * * * *',
  async run({ database, clock }, signal) {
    const seen = await watchEndpoints({ database, clock }, signal);
    return Object.values(seen).some((endpoints) => endpoints > 0) ? seen : undefined;
  },
};
