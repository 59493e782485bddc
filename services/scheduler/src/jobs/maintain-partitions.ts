import { maintainLog } from '@pulsewire/eventlog';
import { maintainInbox, maintainVault } from '@pulsewire/ingest';
import { maintainReceipts } from '@pulsewire/store';
import { maintainAttempts } from '@pulsewire/webhooks';
import type { ScheduledJob } from '../scheduled-job.ts';

/** Makes the days to come and drops the days that are over, each table as its owner says. */
export const maintainPartitionsJob: ScheduledJob = {
  name: 'maintain_partitions',
  cron: '0 3 * * * *',
  atStart: true,
  async run({ database, clock, retention }) {
    const today = clock.now().toISOString().slice(0, 10);
    const dropped = [
      ...(await maintainLog(database, { today, keepDays: retention.logDays })),
      ...(await maintainReceipts(database, { today, keepDays: retention.receiptsDays })),
      ...(await maintainAttempts(database, { today, keepDays: retention.attemptsDays })),
      ...(await maintainInbox(database, { today, keepDays: retention.pushesDays })),
      ...(await maintainVault(database, { today, keepDays: Math.min(retention.vaultDays, retention.receiptsDays) })),
    ];
    return dropped.length > 0 ? { dropped } : undefined;
  },
};
