import { maintainBulkOperationsJob, startQueuedHistoryJob } from './bulk.ts';
import {
  endSucceededJob,
  handBackFailedJob,
  expireEmailLinksJob,
  forgetLinkSessionsJob,
  healSubscriptionsJob,
  pauseEndedConnectionsJob,
  refreshTokensJob,
  settleDeregistrationsJob,
} from './connections.ts';
import { eraseTeamsJob, eraseUsersJob, expireDemoUsersJob, keepErasuresJob } from './erasure.ts';
import { expireHeldNoticesJob, watchLabCallsJob } from './labs.ts';
import {
  maintainPartitionsJob,
  packSamplesJob,
  packStreamsJob,
  rollStateSegmentsJob,
  watchEndpointsJob,
  watchSchedulesJob,
  watchSnapshotsJob,
} from './maintenance.ts';
import { extendDemosJob, healPullsJob, mergeWindowsJob, planDuePullsJob } from './pulls.ts';
import type { ScheduledJob } from '../schedule/scheduled-job.ts';

/** Every scheduled job, one line each. */
export const allJobs: readonly ScheduledJob[] = [
  planDuePullsJob,
  healPullsJob,
  mergeWindowsJob,
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
  packSamplesJob,
  keepErasuresJob,
  eraseUsersJob,
  eraseTeamsJob,
  rollStateSegmentsJob,
  watchEndpointsJob,
  watchLabCallsJob,
  watchSchedulesJob,
  watchSnapshotsJob,
];
