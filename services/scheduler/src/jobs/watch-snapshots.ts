import { snapshotHolders } from '@pulsewire/database';
import type { ScheduledJob } from '../schedule/scheduled-job.ts';

const oldSeconds = 60;
/** For those that do not tell since when: a busy log begins so many transactions in a few minutes. */
const oldTransactions = 100_000;

/** Warns of whoever holds an old snapshot: every append to the log gets slower for as long. */
export const watchSnapshotsJob: ScheduledJob = {
  name: 'watch_snapshots',
  cron: '30 * * * * *',
  async run({ database, logger, custody: { metrics } }) {
    const holders = await snapshotHolders(database);
    metrics.gauge('database_oldest_snapshot_transactions', Math.max(0, ...holders.map(({ ageTransactions }) => ageTransactions)));
    metrics.gauge('database_oldest_snapshot_seconds', Math.max(0, ...holders.map(({ ageSeconds }) => ageSeconds ?? 0)));
    for (const holder of holders)
      if ((holder.ageSeconds ?? 0) >= oldSeconds || holder.ageTransactions >= oldTransactions)
        logger.warn({ ...holder }, 'database.old_snapshot');
    return undefined;
  },
};
