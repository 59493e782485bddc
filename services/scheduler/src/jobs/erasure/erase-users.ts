import { errorCode } from '@pulsewire/kernel';
import { eraseUser, listUsersToErase, userErasedEvent } from '@pulsewire/connections';
import { eraseUserEvents, withEvents } from '@pulsewire/eventlog';
import { erasePulls } from '@pulsewire/ingest';
import { eraseRecords, eraseSamples, erasedSummaryEvents } from '@pulsewire/store';
import { eraseUserDeliveries } from '@pulsewire/webhooks';
import type { ScheduledJob, SchedulerContext } from '../../schedule/scheduled-job.ts';

const batchMax = 100;
const failuresMax = 1000;

type DueUser = Awaited<ReturnType<typeof listUsersToErase>>[number];

/** What an erasure works with. */
export type ErasureContext = Pick<SchedulerContext, 'database' | 'clock' | 'logger' | 'providerSlugs'>;

/**
 * Erases a user in one transaction, after its samples have gone in batches; false when the deletion was undone meanwhile. The events at the
 * end are all that the log keeps of the user: from them the relay writes tombstones for the user's keys on the compacted topics, after
 * everything that it has published of the user before.
 */
function erase({ database, clock, providerSlugs }: ErasureContext, { teamId, userId }: DueUser): Promise<boolean> {
  return withEvents(database, async (tx, emit) => {
    // First: it locks the user, and says whether the deletion still stands.
    if (!(await eraseUser(tx, clock, userId))) return false;
    const { providers, summaryIds } = await eraseRecords(tx, { teamId, userId });
    await erasePulls(tx, userId);
    await eraseUserDeliveries(tx, { teamId, userId }, await eraseUserEvents(tx, { teamId, userId }));
    for (const event of erasedSummaryEvents({ teamId, userId }, summaryIds)) emit(event);
    // Which connections there were is not known any more: one that was removed may still have a key.
    emit(userErasedEvent({ teamId, userId }, clock.now(), [...new Set([...providers, ...providerSlugs])]));
    return true;
  });
}

export const eraseUsersJob: ScheduledJob<ErasureContext> = {
  name: 'erase_users',
  description: 'Erases deleted users whose grace period is over.',
  cron: '0 */10 * * * *',
  async run(context, signal) {
    const { database, clock, logger } = context;
    const failed = new Set<string>();
    let users = 0;
    // The failed ones stay at the head of the list, so each look goes further by as many.
    const nextBatch = async () =>
      (await listUsersToErase(database, clock, batchMax + failed.size)).filter(({ userId }) => !failed.has(userId));
    for (let batch = await nextBatch(); batch.length > 0 && failed.size < failuresMax; batch = await nextBatch()) {
      for (const user of batch) {
        if (signal.aborted) return { users, failed: failed.size };
        try {
          // A deletion cannot be undone any more by now, so a part may go before the rest.
          await eraseSamples(database, user, signal);
          if (signal.aborted || !(await erase(context, user))) continue;
          users += 1;
          logger.info({ ...user }, 'user.erased');
        } catch (error) {
          failed.add(user.userId);
          logger.error({ ...user, errorCode: errorCode(error) }, 'user.erase_failed');
        }
      }
    }
    return users + failed.size > 0 ? { users, failed: failed.size } : undefined;
  },
};
