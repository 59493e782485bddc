import type { ScheduledJob } from '../scheduled-job.ts';
import { eraseUsersJob } from './erase-users.ts';
import { healPullsJob } from './heal-pulls.ts';
import { healSubscriptionsJob } from './heal-subscriptions.ts';
import { maintainPartitionsJob } from './maintain-partitions.ts';
import { pauseEndedConnectionsJob } from './pause-ended-connections.ts';
import { planDuePullsJob } from './plan-due-pulls.ts';
import { refreshTokensJob } from './refresh-tokens.ts';
import { settleDeregistrationsJob } from './settle-deregistrations.ts';

/** Every scheduled job, one line each. */
export const allJobs: readonly ScheduledJob[] = [
  planDuePullsJob,
  healPullsJob,
  healSubscriptionsJob,
  refreshTokensJob,
  pauseEndedConnectionsJob,
  settleDeregistrationsJob,
  maintainPartitionsJob,
  eraseUsersJob,
];
