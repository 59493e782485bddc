import { snapshotHolders } from '@pulsewire/database';
import type { ScheduledJob } from '../schedule/scheduled-job.ts';

const oldSeconds = 60;
/** Limit for snapshots without a start time: a busy log begins this many transactions in a few minutes. */
const oldTransactions = 100_000;

export const watchSnapshotsJob: ScheduledJob = {
  name: 'watch_snapshots',
  description:
    'Measures the oldest snapshot (`database_oldest_snapshot_seconds`, `_transactions`) and warns when one is older than a minute, with its process and application: until it ends, appends to the log get slower.',
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
