import { errorCode } from '@pulsewire/kernel';
import { eraseUser, listUsersToErase, userErasedEvent } from '@pulsewire/connections';
import { eraseUserEvents, withEvents } from '@pulsewire/eventlog';
import { erasePulls } from '@pulsewire/ingest';
import { eraseIntake } from '@pulsewire/intake';
import { eraseLabsOfUser } from '@pulsewire/labs';
import { eraseRecords, eraseSamples, erasedSummaryEvents } from '@pulsewire/store';
import { eraseUserDeliveries } from '@pulsewire/webhooks';
import type { ScheduledJob, SchedulerContext } from '../../schedule/scheduled-job.ts';

const batchMax = 100;
const failuresMax = 1000;

type DueUser = Awaited<ReturnType<typeof listUsersToErase>>[number];

/** Dependencies of an erasure. */
export type ErasureContext = Pick<SchedulerContext, 'database' | 'clock' | 'logger' | 'providerSlugs'>;

/**
 * Erases a user in one transaction, after deleting its samples in batches; false when the deletion was undone meanwhile. The events at the
 * end are all that the log keeps of the user. From them the relay writes tombstones for the user's keys on the compacted topics, after
 * everything that it published about the user before.
 */
function erase({ database, clock, providerSlugs }: ErasureContext, { teamId, userId }: DueUser): Promise<boolean> {
  return withEvents(database, async (tx, emit) => {
    // First, because it locks the user and checks that the deletion was not undone.
    if (!(await eraseUser(tx, clock, userId))) return false;
    const { providers, summaryIds } = await eraseRecords(tx, { teamId, userId });
    await erasePulls(tx, userId);
    await eraseIntake(tx, userId);
    await eraseLabsOfUser(tx, { teamId, userId }, clock.now());
    await eraseUserDeliveries(tx, { teamId, userId }, await eraseUserEvents(tx, { teamId, userId }));
    for (const event of erasedSummaryEvents({ teamId, userId }, summaryIds)) emit(event);
    // Former connections are no longer known: a removed one may still have a key.
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
    // Failed users stay at the head of the list, so each query skips that many.
    const nextBatch = async () =>
      (await listUsersToErase(database, clock, batchMax + failed.size)).filter(({ userId }) => !failed.has(userId));
    for (let batch = await nextBatch(); batch.length > 0 && failed.size < failuresMax; batch = await nextBatch()) {
      for (const user of batch) {
        if (signal.aborted) return { users, failed: failed.size };
        try {
          // The deletion can no longer be undone, so the erasure may happen in parts.
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
