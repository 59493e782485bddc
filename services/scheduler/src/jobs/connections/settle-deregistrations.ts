import { revokeExpiredConsents, processDeregistrations } from '@pulsewire/connections';
import { unsubscribe } from '@pulsewire/ingest';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';

const batchMax = 50;

export const settleDeregistrationsJob: ScheduledJob = {
  name: 'settle_deregistrations',
  description: 'Revokes and unsubscribes removed connections and unconfirmed consents at their provider.',
  cron: '40 * * * * *',
  async run({ custody, unsubscribing }, signal) {
    const unconfirmed = await revokeExpiredConsents(custody, batchMax);
    const deregistrations = await processDeregistrations(custody, {
      limit: batchMax,
      signal,
      cleanUpProvider: (gone, accessToken, deadline) => unsubscribe(unsubscribing, gone, accessToken, deadline),
    });
    return deregistrations + unconfirmed > 0 ? { deregistrations, unconfirmed } : undefined;
  },
};
