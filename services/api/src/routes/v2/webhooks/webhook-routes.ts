import type { Route } from '../../../route/route.ts';
import { cancelReplayRoute } from './replays/cancel-replay.ts';
import { createEndpointRoute } from './endpoints/create-endpoint.ts';
import { createReplayRoute } from './replays/create-replay.ts';
import { deleteEndpointRoute } from './endpoints/delete-endpoint.ts';
import { getEndpointRoute } from './endpoints/get-endpoint.ts';
import { getHeadersRoute } from './endpoints/get-headers.ts';
import { getReplayRoute } from './replays/get-replay.ts';
import { getSecretRoute } from './endpoints/get-secret.ts';
import { getStatisticsRoute } from './attempts/get-statistics.ts';
import { listAttemptsRoute } from './attempts/list-attempts.ts';
import { listEndpointsRoute } from './endpoints/list-endpoints.ts';
import { listReplaysRoute } from './replays/list-replays.ts';
import { putHeadersRoute } from './endpoints/put-headers.ts';
import { recoverMessagesRoute } from './attempts/recover-messages.ts';
import { resendMessageRoute } from './attempts/resend-message.ts';
import { rotateSecretRoute } from './endpoints/rotate-secret.ts';
import { sendTestRoute } from './attempts/send-test.ts';
import { updateEndpointRoute } from './endpoints/update-endpoint.ts';

/** Management of a team's endpoints. */
export const webhookRoutes: readonly Route[] = [
  listEndpointsRoute,
  createEndpointRoute,
  getEndpointRoute,
  updateEndpointRoute,
  deleteEndpointRoute,
  getHeadersRoute,
  putHeadersRoute,
  getSecretRoute,
  rotateSecretRoute,
  listAttemptsRoute,
  recoverMessagesRoute,
  getStatisticsRoute,
  sendTestRoute,
  resendMessageRoute,
  createReplayRoute,
  listReplaysRoute,
  getReplayRoute,
  cancelReplayRoute,
];
