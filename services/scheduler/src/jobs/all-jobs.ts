import type { ScheduledJob } from '../scheduled-job.ts';
import { eraseTeamsJob } from './erase-teams.ts';
import { keepErasuresJob } from './keep-erasures.ts';
import { eraseUsersJob } from './erase-users.ts';
import { expireDemoUsersJob } from './expire-demo-users.ts';
import { expireEmailLinksJob } from './expire-email-links.ts';
import { forgetLinkSessionsJob } from './forget-link-sessions.ts';
import { growDemosJob } from './grow-demos.ts';
import { healPullsJob } from './heal-pulls.ts';
import { healSubscriptionsJob } from './heal-subscriptions.ts';
import { maintainPartitionsJob } from './maintain-partitions.ts';
import { pauseEndedConnectionsJob } from './pause-ended-connections.ts';
import { planDuePullsJob } from './plan-due-pulls.ts';
import { refreshTokensJob } from './refresh-tokens.ts';
import { rollStateSegmentsJob } from './roll-state-segments.ts';
import { settleDeregistrationsJob } from './settle-deregistrations.ts';
import { watchEndpointsJob } from './watch-endpoints.ts';
import { watchSchedulesJob } from './watch-schedules.ts';
import { watchSnapshotsJob } from './watch-snapshots.ts';
import { startBulkTurnsJob } from './start-bulk-turns.ts';
import { tendBulkJob } from './tend-bulk.ts';

/** Every scheduled job, one line each. */
export const allJobs: readonly ScheduledJob[] = [
  planDuePullsJob,
  healPullsJob,
  healSubscriptionsJob,
  refreshTokensJob,
  tendBulkJob,
  startBulkTurnsJob,
  pauseEndedConnectionsJob,
  settleDeregistrationsJob,
  forgetLinkSessionsJob,
  expireEmailLinksJob,
  growDemosJob,
  expireDemoUsersJob,
  maintainPartitionsJob,
  keepErasuresJob,
  eraseUsersJob,
  eraseTeamsJob,
  rollStateSegmentsJob,
  watchEndpointsJob,
  watchSchedulesJob,
  watchSnapshotsJob,
];
