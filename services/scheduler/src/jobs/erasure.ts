import {
  eraseUser,
  listUsersToErase,
  userErasedEvent,
  deleteUser,
  eraseTeam,
  listTeamsToErase,
  listUsersOfDeletedTeams,
  type DeletionOptions,
  expireDemoUsers,
} from '@pulsewire/connections';
import { eraseUserEvents, withEvents } from '@pulsewire/eventlog';
import { erasePulls, dropSchedule, forgetTeamSubscriptions } from '@pulsewire/ingest';
import { eraseIntake } from '@pulsewire/intake';
import { errorCode, isAppError } from '@pulsewire/kernel';
import { eraseLabsOfUser, endBookings, eraseLabsOfTeam } from '@pulsewire/labs';
import { eraseRecords, eraseSamples, erasedSummaryEvents, lockRecords } from '@pulsewire/store';
import { eraseUserDeliveries, eraseTeamEndpoints } from '@pulsewire/webhooks';
import { saveErasures } from '../erasures/save-erasures.ts';
import type { ScheduledJob, SchedulerContext } from '../schedule/scheduled-job.ts';

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
    await lockRecords(tx, userId);
    // Before the others, because it locks the user and checks that the deletion was not undone.
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

const usersMax = 100;
const teamsMax = 100;

/** Dependencies of the erasure of teams. */
type TeamErasureContext = Pick<SchedulerContext, 'database' | 'clock' | 'logger'>;

/**
 * As in the API, connections are deregistered and bookings cancelled at once. A user that cannot be deleted is retried at the next run and
 * does not block others.
 */
async function deleteUsers(
  { database, clock, logger }: TeamErasureContext,
  signal: AbortSignal,
): Promise<{ users: number; failed: number }> {
  const options: DeletionOptions = {
    clock,
    onDeregistered: (tx, { connectionId }) => dropSchedule(tx, connectionId),
    onDeleting: (tx, _emit, user) => endBookings(tx, user, clock.now()),
  };
  let [users, failed] = [0, 0];
  let after = '00000000-0000-0000-0000-000000000000';
  const nextBatch = () => listUsersOfDeletedTeams(database, { after, limit: usersMax });
  for (let batch = await nextBatch(); batch.length > 0; batch = await nextBatch()) {
    for (const { teamId, userId } of batch) {
      if (signal.aborted) return { users, failed };
      after = userId;
      try {
        await deleteUser(database, options, teamId, userId);
        users += 1;
      } catch (error) {
        // Deleted concurrently: nothing to do.
        if (isAppError(error) && error.kind === 'not_found') continue;
        failed += 1;
        logger.error({ teamId, userId, errorCode: errorCode(error) }, 'user.delete_failed');
      }
    }
  }
  return { users, failed };
}

export const eraseTeamsJob: ScheduledJob<TeamErasureContext> = {
  name: 'erase_teams',
  description:
    'Deletes the users of deleted teams; erases a team with its endpoints and keys when no user is left and the grace period is over. Audit entries stay.',
  cron: '30 */10 * * * *',
  async run(context, signal) {
    const { database, clock, logger } = context;
    const { users, failed } = await deleteUsers(context, signal);
    let teams = 0;
    for (const teamId of await listTeamsToErase(database, clock, teamsMax)) {
      if (signal.aborted) break;
      try {
        await eraseTeamEndpoints({ database }, teamId);
        const isErased = await database.transaction(async (tx) => {
          await forgetTeamSubscriptions(tx, teamId);
          if (!(await eraseTeam(tx, clock, teamId))) return false;
          await eraseLabsOfTeam(tx, teamId);
          return true;
        });
        if (!isErased) continue;
        teams += 1;
        logger.info({ teamId }, 'team.erased');
      } catch (error) {
        logger.error({ teamId, errorCode: errorCode(error) }, 'team.erase_failed');
      }
    }
    return users + failed + teams > 0 ? { users, failed, teams } : undefined;
  },
};

const demoUsersMax = 200;

export const expireDemoUsersJob: ScheduledJob = {
  name: 'expire_demo_users',
  description: 'Deletes demo users after seven days.',
  cron: '0 33 * * * *',
  async run({ database, clock }) {
    const users = await expireDemoUsers(database, { clock }, demoUsersMax);
    return users > 0 ? { users } : undefined;
  },
};

export const keepErasuresJob: ScheduledJob = {
  name: 'keep_erasures',
  description: 'With `ERASURES_FILE`: replays erasures that a restored database has forgotten, then writes all of them to the file.',
  cron: '30 */10 * * * *',
  atStart: true,
  async run({ database, clock, erasuresFile }) {
    if (erasuresFile === null) return undefined;
    const { marked } = await saveErasures(database, clock, erasuresFile);
    return marked > 0 ? { marked } : undefined;
  },
};
