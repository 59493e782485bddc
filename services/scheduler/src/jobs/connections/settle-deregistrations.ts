import { giveBackExpiredConsents, settleDeregistrations } from '@pulsewire/connections';
import { unsubscribe } from '@pulsewire/ingest';
import type { ScheduledJob } from '../../schedule/scheduled-job.ts';

const batchMax = 50;

/** Connections that are gone here, and consents that nobody confirmed, are revoked and unsubscribed at their provider. */
export const settleDeregistrationsJob: ScheduledJob = {
  name: 'settle_deregistrations',
  cron: '40 * * * * *',
  async run({ custody, farewell }, signal) {
    const unconfirmed = await giveBackExpiredConsents(custody, batchMax);
    const deregistrations = await settleDeregistrations(custody, {
      limit: batchMax,
      signal,
      farewell: (gone, accessToken, deadline) => unsubscribe(farewell, gone, accessToken, deadline),
    });
    return deregistrations + unconfirmed > 0 ? { deregistrations, unconfirmed } : undefined;
  },
};
