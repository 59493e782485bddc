import type { ScheduledJob } from '../schedule/scheduled-job.ts';
import { eraseTeamsJob } from './erasure/erase-teams.ts';
import { keepErasuresJob } from './erasure/save-erasures.ts';
import { eraseUsersJob } from './erasure/erase-users.ts';
import { expireHeldNoticesJob } from './expire-held-notices.ts';
import { expireDemoUsersJob } from './erasure/expire-demo-users.ts';
import { endSucceededJob } from './connections/end-succeeded.ts';
import { handBackFailedJob } from './connections/hand-back-failed.ts';
import { expireEmailLinksJob } from './connections/expire-email-links.ts';
import { forgetLinkSessionsJob } from './connections/forget-link-sessions.ts';
import { extendDemosJob } from './pulls/extend-demos.ts';
import { healPullsJob } from './pulls/heal-pulls.ts';
import { healSubscriptionsJob } from './connections/heal-subscriptions.ts';
import { maintainPartitionsJob } from './maintain-partitions.ts';
import { packStreamsJob } from './pack-streams.ts';
import { pauseEndedConnectionsJob } from './connections/pause-ended-connections.ts';
import { planDuePullsJob } from './pulls/plan-due-pulls.ts';
import { refreshTokensJob } from './connections/refresh-tokens.ts';
import { rollStateSegmentsJob } from './roll-state-segments.ts';
import { settleDeregistrationsJob } from './connections/settle-deregistrations.ts';
import { watchEndpointsJob } from './watch-endpoints.ts';
import { watchLabCallsJob } from './watch-lab-calls.ts';
import { watchSchedulesJob } from './watch-schedules.ts';
import { watchSnapshotsJob } from './watch-snapshots.ts';
import { startQueuedHistoryJob } from './connections/start-queued-history.ts';
import { maintainBulkOperationsJob } from './connections/maintain-bulk-operations.ts';

/** Every scheduled job, one line each. */
export const allJobs: readonly ScheduledJob[] = [
  planDuePullsJob,
  healPullsJob,
  healSubscriptionsJob,
  refreshTokensJob,
  maintainBulkOperationsJob,
  startQueuedHistoryJob,
  pauseEndedConnectionsJob,
  endSucceededJob,
  handBackFailedJob,
  settleDeregistrationsJob,
  forgetLinkSessionsJob,
  expireEmailLinksJob,
  extendDemosJob,
  expireDemoUsersJob,
  expireHeldNoticesJob,
  maintainPartitionsJob,
  packStreamsJob,
  keepErasuresJob,
  eraseUsersJob,
  eraseTeamsJob,
  rollStateSegmentsJob,
  watchEndpointsJob,
  watchLabCallsJob,
  watchSchedulesJob,
  watchSnapshotsJob,
];
