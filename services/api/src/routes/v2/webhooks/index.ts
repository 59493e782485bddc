import type { Route } from '../../../http/route.ts';
import { cancelReplayRoute } from './cancel-replay.ts';
import { createEndpointRoute } from './create-endpoint.ts';
import { createReplayRoute } from './create-replay.ts';
import { deleteEndpointRoute } from './delete-endpoint.ts';
import { getEndpointRoute } from './get-endpoint.ts';
import { getHeadersRoute } from './get-headers.ts';
import { getReplayRoute } from './get-replay.ts';
import { getSecretRoute } from './get-secret.ts';
import { getStatisticsRoute } from './get-statistics.ts';
import { listAttemptsRoute } from './list-attempts.ts';
import { listEndpointsRoute } from './list-endpoints.ts';
import { listReplaysRoute } from './list-replays.ts';
import { putHeadersRoute } from './put-headers.ts';
import { recoverMessagesRoute } from './recover-messages.ts';
import { resendMessageRoute } from './resend-message.ts';
import { rotateSecretRoute } from './rotate-secret.ts';
import { sendTestRoute } from './send-test.ts';
import { updateEndpointRoute } from './update-endpoint.ts';

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
