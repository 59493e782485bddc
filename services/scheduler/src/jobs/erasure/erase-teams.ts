import { errorCode, isAppError } from '@pulsewire/kernel';
import { deleteUser, eraseTeam, listTeamsToErase, listUsersOfDeletedTeams, type DeletionOptions } from '@pulsewire/connections';
import { dropPlan, forgetTeamSubscriptions } from '@pulsewire/ingest';
import { endBookings, eraseLabsOfTeam } from '@pulsewire/labs';
import { eraseTeamEndpoints } from '@pulsewire/webhooks';
import type { ScheduledJob, SchedulerContext } from '../../schedule/scheduled-job.ts';

const usersMax = 100;
const teamsMax = 100;

/** Dependencies of the erasure of teams. */
export type TeamErasureContext = Pick<SchedulerContext, 'database' | 'clock' | 'logger'>;

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
    onDeregistered: (tx, { connectionId }) => dropPlan(tx, connectionId),
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
